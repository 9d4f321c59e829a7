package dev.soloist.coordination.delayed.stream;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;

import dev.soloist.coordination.delayed.ByStream;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A queue by stream on a real server, with short ways to look at the stream as anybody with redis-cli would. */
final class StreamUnderTest implements AutoCloseable {

    static final String STREAM = KEYS.taskStream(JOB);

    final QueueUnderTest q;

    StreamUnderTest(RedisLink link) {
        this(link, ByStream.STREAM);
    }

    StreamUnderTest(RedisLink link, Transport.Stream kept) {
        this.q = new QueueUnderTest(link, QueueLimits.DEFAULT, kept);
    }

    TaskStream stream() {
        return q.queue.stream().orElseThrow();
    }

    /** Enqueues tasks due now and hands them out. */
    List<ReservedTask> held(InstanceId instance, Duration visibility, String... ids) {
        for (String id : ids) {
            q.enqueue(instance, id, When.now());
        }
        return q.reserve(instance, Nonce.create(), ids.length, visibility).tasks();
    }

    /** Enqueues tasks due now and has them handled. */
    void handled(InstanceId instance, String... ids) {
        q.queue.ack(held(instance, QueueUnderTest.MINUTE, ids).stream()
                .map(ReservedTask::held)
                .toList());
    }

    /** A moment by which all entries so far are over. */
    Instant now() {
        return q.link.now(STREAM);
    }

    /** The ids of all entries and their tasks. */
    Map<String, String> entries() {
        var entries = new LinkedHashMap<String, String>();
        for (Object row : q.link.call("XRANGE", STREAM, "-", "+")) {
            List<?> entry = (List<?>) row;
            entries.put(text(entry.get(0)), text(((List<?>) entry.get(1)).get(1)));
        }
        return entries;
    }

    /** Each pending entry and its consumer; empty also while there is no group. */
    Map<String, String> pending() {
        var pending = new LinkedHashMap<String, String>();
        for (Object row : q.link.call("XPENDING", STREAM, "soloist", "-", "+", "10000")) {
            List<?> entry = (List<?>) row;
            pending.put(text(entry.get(0)), text(entry.get(1)));
        }
        return pending;
    }

    List<String> consumers() {
        var names = new ArrayList<String>();
        for (Object row : q.link.call("XINFO", "CONSUMERS", STREAM, "soloist")) {
            names.add(row instanceof Map<?, ?> map ? name(map) : text(((List<?>) row).get(1)));
        }
        return names;
    }

    private static String name(Map<?, ?> consumer) {
        return consumer.entrySet().stream()
                .filter(field -> text(field.getKey()).equals("name"))
                .map(field -> text(field.getValue()))
                .findFirst()
                .orElseThrow();
    }

    static String text(Object raw) {
        return QueueUnderTest.text(raw);
    }

    @Override
    public void close() {
        q.close();
    }
}
