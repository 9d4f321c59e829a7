package dev.soloist.coordination.storm;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads record, token list and lock of a job at one moment, over a link that nothing disturbs. Thread-safe. */
public final class Inspector {

    private static final String SCRIPT = "return {redis.call('HGET', KEYS[1], 'st') or 'ABSENT', "
            + "redis.call('HGET', KEYS[1], 'gen') or '', redis.call('PTTL', KEYS[3]), "
            + "redis.call('LRANGE', KEYS[2], 0, -1)}";

    private final RedisLink link;
    private final RedisKeys keys;

    /** An inspector of one installation. */
    public Inspector(RedisLink link, RedisKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    /** Looks at a job; {@code at} is when, in microseconds. */
    public Event.Looked look(JobId job, long at) {
        List<Object> reply = link.call("EVAL", SCRIPT, "3", keys.record(job), keys.ready(job), keys.lock(job));
        List<String> tokens =
                ((List<?>) reply.get(3)).stream().map(Inspector::text).toList();
        return new Event.Looked(
                at, job.toString(), text(reply.get(0)), text(reply.get(1)), tokens, (Long) reply.get(2));
    }

    private static String text(Object raw) {
        return raw instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(raw);
    }
}
