package dev.soloist.coordination.testkit.pika;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;

/** All data at one moment, kept in another database of the server behind. Of its times to live, what is left is kept. */
final class PikaSnapshot {

    /** Copies every key of one database into another, in one step. */
    private static final String COPY = """
            redis.call('SELECT', ARGV[2])
            redis.call('FLUSHDB')
            redis.call('SELECT', ARGV[1])
            for _, key in ipairs(redis.call('KEYS', '*')) do
              redis.call('COPY', key, key, 'DB', ARGV[2])
            end
            return {1}
            """;

    private final RedisProcess behind;

    PikaSnapshot(RedisProcess behind) {
        this.behind = behind;
    }

    void take() {
        copy("0", "1");
    }

    void restore() {
        copy("1", "0");
    }

    private void copy(String from, String to) {
        try (RedisLink link = behind.link()) {
            link.call("EVAL", COPY, "0", from, to);
        }
    }
}
