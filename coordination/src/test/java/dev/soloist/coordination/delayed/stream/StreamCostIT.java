package dev.soloist.coordination.delayed.stream;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.ByStream;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a task costs the server by list and by stream, as docs/patterns/streams.md tells. Prints what it measures. */
class StreamCostIT {

    private static final int TASKS = 2000;
    private static final int BATCH = 16;
    private static final int PAYLOAD = 256;
    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)");

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private record Cost(double commands, double micros, double waiting, double held, double handled) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.1f commands, %.1f µs of the server, %.0f bytes while it waits, %.0f while it is held, %.0f after it",
                    commands,
                    micros,
                    waiting,
                    held,
                    handled);
        }
    }

    @Test
    void aTaskByStreamCostsLittleMoreToDeliverAndItsHistoryWhatItsPayloadTakes() {
        var list = measured(Transport.LIST);
        var stream = measured(ByStream.STREAM);
        System.out.println("List:   " + list);
        System.out.println("Stream: " + stream);

        assertThat(stream.micros).as("time of the server").isLessThan(3 * list.micros);
        assertThat(stream.waiting)
                .as("a task that waits is where it is with lists")
                .isBetween(0.9 * list.waiting, 1.1 * list.waiting);
        assertThat(stream.handled - list.handled).as("bytes of history").isBetween((double) PAYLOAD, 2.0 * PAYLOAD);
    }

    private static Cost measured(Transport transport) {
        try (var q = new QueueUnderTest(REDIS.link(), QueueLimits.DEFAULT, transport)) {
            // The second round counts: the first one sends the scripts and warms the server.
            round(q, "warm");
            q.link.call("FLUSHALL");
            return round(q, "t");
        }
    }

    private static Cost round(QueueUnderTest q, String prefix) {
        var me = q.member();
        var payload = Payload.of(new byte[PAYLOAD], "application/json");
        double empty = bytes(q.link);
        q.link.call("CONFIG", "RESETSTAT");
        for (int i = 0; i < TASKS; i++) {
            q.accepted(
                    me,
                    new NewTask(
                            TaskId.of(prefix + i),
                            payload,
                            When.now(),
                            Nonce.create().value(),
                            OnDuplicate.REJECT));
        }
        double waiting = bytes(q.link) - empty;
        var tasks = new ArrayList<ReservedTask>();
        while (tasks.size() < TASKS) {
            tasks.addAll(q.reserve(me, BATCH).tasks());
        }
        double held = bytes(q.link) - empty;
        for (int from = 0; from < TASKS; from += BATCH) {
            q.queue.ack(tasks.subList(from, from + BATCH).stream()
                    .map(ReservedTask::held)
                    .toList());
        }
        var stats = new String((byte[]) q.link.call("INFO", "commandstats").getFirst());
        double calls = 0;
        double micros = 0;
        var found = CALLS.matcher(stats);
        while (found.find()) {
            if (found.group(1).startsWith("eval")) {
                micros += Double.parseDouble(found.group(3));
            } else if (!List.of("memory|usage", "memory", "info", "config|resetstat", "keys")
                    .contains(found.group(1))) {
                calls += Double.parseDouble(found.group(2));
            }
        }
        double after = bytes(q.link) - empty;
        return new Cost(calls / TASKS, micros / TASKS, waiting / TASKS, held / TASKS, after / TASKS);
    }

    private static double bytes(RedisLink link) {
        double sum = 0;
        for (Object key : link.call("KEYS", KEYS.tasks(JOB).replaceFirst("[{].*", "*"))) {
            Object usage = link.call("MEMORY", "USAGE", QueueUnderTest.text(key), "SAMPLES", "0")
                    .getFirst();
            sum += Double.parseDouble(QueueUnderTest.text(usage));
        }
        return sum;
    }
}
