package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases of apps under a seeded storm keep every rule, and each script that is broken on purpose is found by it. */
class LeaseStormIT {

    private static final Duration TIME = Duration.ofSeconds(5);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());

    @Test
    void everyRuleIsKept() throws InterruptedException {
        var storm = new LeaseStorm(REDIS, 8, seed, UnaryOperator.identity());

        assertThat(storm.run(TIME)).as("seed %d", seed).isEmpty();
        assertThat(storm.history().count(Event.LeaseHeld.class)).isGreaterThan(20);
        assertThat(storm.history().count(Event.LeaseRevoked.class)).isPositive();
        assertThat(storm.history().count(Event.LeaseGivenBack.class)).isPositive();
    }

    static Stream<Mutant> breaks() {
        return Stream.of(
                new Mutant(
                        "an acquire ignores the holder",
                        "lease/acquire",
                        "if lives and not same then return {'HELD', holder, seq, text(last - now), revoked} end",
                        "lives = lives and same"),
                new Mutant(
                        "the fence counts milliseconds",
                        "lease/acquire",
                        "text(math.max((tonumber(redis.call('GET', counter)) or 0) + 1, t[1] * 1000000 + t[2]))",
                        "text(now)"),
                new Mutant(
                        "a lease that is over is renewed",
                        "lease/renew",
                        " or tonumber(last) <= now then return {'LOST'} end",
                        " then return {'LOST'} end"),
                new Mutant(
                        "a revoked lease is renewed",
                        "lease/renew",
                        "if revoked == '1' then return {'REVOKED', text(last - now)} end",
                        ""),
                new Mutant("a renewal compares no pod", "lease/renew", "if owner ~= uid or seq", "owner = uid\nif seq"),
                new Mutant(
                        "a release compares no pod",
                        "lease/release",
                        "if owner ~= uid then return {'FOREIGN', string.format('%.0f', last - now)} end",
                        ""));
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void aBrokenScriptIsFound(Mutant broken) throws InterruptedException {
        for (int tries = 0; tries < 60; tries++) {
            // Where others ask, a lease that is over is soon removed: what becomes of it else shows where nobody does.
            int apps = tries % 2 == 0 ? 8 : 1;
            var storm = new LeaseStorm(REDIS, apps, seed + 100 * tries, broken);
            if (!storm.run(Duration.ofSeconds(2)).isEmpty()) {
                return;
            }
        }
        throw new AssertionError("not found: " + broken + ", seed " + seed);
    }
}
