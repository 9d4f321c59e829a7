package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.wire.FormerVersion;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** During a rollout the former version and this one work on the same state: each call of a storm is by one of them, by chance. */
class FormerVersionIT {

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
        var runs = new AtomicLong();
        var acks = new AtomicLong();
        List<UnaryOperator<LuaScript>> versions = List.of(UnaryOperator.identity(), new FormerVersion());
        Rounds.until(
                () -> runs.get() > 100 && acks.get() > 100,
                REDIS,
                seed,
                (link, port, roundSeed) -> new Storm(link, port, roundSeed, Storm.Part.ALL, versions),
                FormerVersionIT::isOfTheFormerVersion,
                storm -> {
                    runs.addAndGet(storm.history().count(Event.Granted.class));
                    acks.addAndGet(storm.history().count(Event.Acked.class));
                });
        assertThat(runs.get()).isGreaterThan(100);
        assertThat(acks.get()).isGreaterThan(100);
    }
}
