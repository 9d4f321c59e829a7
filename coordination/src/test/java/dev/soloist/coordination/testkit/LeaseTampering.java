package dev.soloist.coordination.testkit;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Does to a lease in the hash of its namespace what redis-cli does to a lease that is a key. Such a lease is named by a text
 * that is no key: the hash, a number sign, and the field.
 */
public final class LeaseTampering {

    /** As PTTL answers, at one moment. */
    private static final String LEFT = """
            if not redis.call('HGET', KEYS[1], ARGV[1]) then return -2 end
            local last, t = redis.call('ZSCORE', KEYS[2], ARGV[1]), redis.call('TIME')
            if not last then return -1 end
            local left = tonumber(last) - t[1] * 1000 - math.floor(t[2] / 1000)
            return left > 0 and left or -2
            """;

    private final RedisLink link;

    /** Works over the link. */
    public LeaseTampering(RedisLink link) {
        this.link = link;
    }

    /** The name of a job's lease for {@link #call}. */
    public static String name(RedisKeys shared, JobId job) {
        return shared.lock(job) + "#job/" + job.name();
    }

    /** As {@link RedisLink#call}. */
    public List<Object> call(String command, String... arguments) {
        int sign = arguments.length == 0 ? -1 : arguments[0].indexOf("#job/");
        if (sign < 0) {
            return link.call(command, arguments);
        }
        var hash = arguments[0].substring(0, sign);
        var field = arguments[0].substring(sign + 1);
        var ends = hash.substring(0, hash.length() - 1) + "z";
        return switch (command) {
            case "GET" -> left(hash, ends, field) == -2 ? none() : link.call("HGET", hash, field);
            case "PTTL" -> List.of(left(hash, ends, field));
            case "PERSIST" -> link.call("ZREM", ends, field);
            case "PEXPIRE" -> link.call("ZADD", ends, fromNow(arguments[1]), field);
            case "DEL" -> {
                link.call("ZREM", ends, field);
                yield link.call("HDEL", hash, field);
            }
            case "SET" -> {
                link.call("ZREM", ends, field);
                if (arguments.length > 2) {
                    link.call("ZADD", ends, fromNow(arguments[3]), field);
                }
                yield link.call("HSET", hash, field, arguments[1]);
            }
            default -> {
                link.call("DEL", hash);
                yield command.equals("HSET")
                        ? link.call("RPUSH", hash, "wrong")
                        : link.call(command, hash, arguments[1]);
            }
        };
    }

    private long left(String hash, String ends, String field) {
        return (Long) link.call("EVAL", LEFT, "2", hash, ends, field).getFirst();
    }

    private String fromNow(String millis) {
        return String.valueOf(link.now().toEpochMilli() + Long.parseLong(millis));
    }

    private static List<Object> none() {
        return new ArrayList<>(Arrays.asList((Object) null));
    }
}
