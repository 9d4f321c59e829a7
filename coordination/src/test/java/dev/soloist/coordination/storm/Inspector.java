package dev.soloist.coordination.storm;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.job.Backend;
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

    private static final String HASHED = "local last, t = redis.call('ZSCORE', KEYS[4], ARGV[1]), redis.call('TIME') "
            + "local left = last and tonumber(last) - t[1] * 1000 - math.floor(t[2] / 1000) or -1 "
            + "if not redis.call('HGET', KEYS[3], ARGV[1]) or (last and left <= 0) then left = -2 end "
            + SCRIPT.replace("redis.call('PTTL', KEYS[3])", "left");

    private final RedisLink link;
    private final RedisKeys keys;
    private final Backend backend;

    /** An inspector of one installation. */
    public Inspector(RedisLink link, RedisKeys keys) {
        this(link, keys, Backend.STRING);
    }

    /** An inspector of the jobs whose leases are kept in the given way. */
    public Inspector(RedisLink link, RedisKeys keys, Backend backend) {
        this.link = link;
        this.keys = backend == Backend.HASH ? keys.shared() : keys;
        this.backend = backend;
    }

    /** Looks at a job; {@code at} is when, in microseconds. */
    public Event.Looked look(JobId job, long at) {
        List<Object> reply = backend == Backend.STRING
                ? link.call("EVAL", SCRIPT, "3", keys.record(job), keys.ready(job), keys.lock(job))
                : link.call(
                        "EVAL",
                        HASHED,
                        "4",
                        keys.record(job),
                        keys.ready(job),
                        keys.lock(job),
                        keys.leaseEnds(job.namespace()),
                        "job/" + job.name());
        List<String> tokens =
                ((List<?>) reply.get(3)).stream().map(Inspector::text).toList();
        return new Event.Looked(
                at, job.toString(), text(reply.get(0)), text(reply.get(1)), tokens, (Long) reply.get(2));
    }

    private static String text(Object raw) {
        return raw instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(raw);
    }
}
