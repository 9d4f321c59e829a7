package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.wire.FormerVersion;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** During a rollout the former version and this one work on the same state: each call of a storm is by one of them, by chance. */
class FormerVersionIT {

    private static final int ROUNDS = 6;

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());

    /**
     * Late copies of calls, which the former version lets win; and a batch asked for again of the other version, which no sidecar
     * does: an instance is of one version all its life.
     */
    private static boolean isOfTheFormerVersion(String violation) {
        return Stream.of("one request was given two batches", "a spent nonce won", "a caller that was not told of it")
                .anyMatch(violation::contains);
    }

    @Test
    void bothVersionsSideBySideKeepEveryRule() {
        long runs = 0;
        long acks = 0;
        List<UnaryOperator<LuaScript>> versions = List.of(UnaryOperator.identity(), new FormerVersion());
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < ROUNDS; round++) {
                link.call("FLUSHALL");
                var storm = new Storm(link, REDIS.port(), seed + round, Storm.Part.ALL, versions);
                assertThat(storm.run()).as("seed %d", seed + round).allMatch(FormerVersionIT::isOfTheFormerVersion);
                runs += storm.history().count(Event.Granted.class);
                acks += storm.history().count(Event.Acked.class);
            }
        }
        assertThat(runs).isGreaterThan(100);
        assertThat(acks).isGreaterThan(100);
    }
}
