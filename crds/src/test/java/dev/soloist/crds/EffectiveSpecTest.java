package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.crds.job.Delivery;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.OnDuplicate;
import dev.soloist.crds.job.ReleaseOn;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.crds.policy.ReleasePolicy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EffectiveSpecTest {

    @ParameterizedTest
    @MethodSource({"dev.soloist.crds.Example#valid", "dev.soloist.crds.Example#samples"})
    void everyValidExampleCanBeWorkedWith(Example example) throws InvalidSpec {
        if (example.isJob()) {
            assertThat(EffectiveJob.of(example.job()).request().timeout()).isPositive();
        } else {
            assertThat(EffectivePolicy.of(example.policy()).ttl()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.soloist.crds.Example#invalid")
    void noInvalidExampleCan(Example example) {
        assertThatThrownBy(() -> {
                    if (example.isJob()) {
                        EffectiveJob.of(example.job());
                    } else {
                        EffectivePolicy.of(example.policy());
                    }
                })
                .isInstanceOf(InvalidSpec.class)
                .hasMessageContaining(example.refused().getFirst().sentence());
    }

    @Test
    void aCronWithoutAZoneIsReadInUtc() throws InvalidSpec {
        var job = EffectiveJob.of(named("job/valid-singleton-cron.yaml").job());

        var scheduled = (EffectiveJob.Scheduled) job.work();
        assertThat(scheduled.timing()).isEqualTo(new EffectiveJob.Cron("0 2 * * *", ZoneId.of("Etc/UTC")));
        assertThat(scheduled.retryLimit()).isEqualTo(3);
        assertThat(scheduled.waits())
                .isEqualTo(new EffectiveJob.Waits(Duration.ofSeconds(5), 2, Duration.ofMinutes(5)));
    }

    @Test
    void delayedWorkHasItsDefaults() throws InvalidSpec {
        var job = EffectiveJob.of(named("job/valid-delayed-defaults.yaml").job());

        assertThat(job.matchLabels()).isEqualTo(Map.of("app", "shop"));
        assertThat(job.suspended()).isFalse();
        assertThat(job.request()).isEqualTo(new EffectiveJob.Request(8080, "/jobs/report", Duration.ofMinutes(5)));
        assertThat(job.work())
                .isEqualTo(new EffectiveJob.Queued(
                        Duration.ofSeconds(30),
                        10,
                        new EffectiveJob.Waits(Duration.ofSeconds(5), 2, Duration.ofMinutes(5)),
                        10,
                        OnDuplicate.KEEP_EARLIEST,
                        null,
                        Delivery.AT_LEAST_ONCE,
                        null,
                        new EffectiveJob.Bounds(256 * 1024, 1_000_000, Duration.ofDays(7), 10_000),
                        null,
                        1));
        assertThat(job.events()).isEqualTo(new EffectiveJob.Events(1000, false));
    }

    @Test
    void aStreamKeepsADayAlsoWhenNothingIsWrittenDown() throws InvalidSpec {
        assertThat(queued("job/valid-delayed-stream.yaml").stream())
                .isEqualTo(new EffectiveJob.Keeping(Duration.ofDays(1), 100_000));
        assertThat(queued("job/valid-delayed-stream-everything.yaml").stream())
                .isEqualTo(new EffectiveJob.Keeping(Duration.ofDays(30), 1000));
        assertThat(queued("job/valid-delayed-defaults.yaml").stream()).isNull();
    }

    @Test
    void whatIsWrittenDownOfDelayedWorkIsWhatItIs() throws InvalidSpec {
        var everything = queued("job/valid-delayed-everything.yaml");

        assertThat(everything.deduplication())
                .isEqualTo(new EffectiveJob.Window(Duration.ofMinutes(10), false, ReleaseOn.SUCCESS));
        assertThat(everything.bounds()).isEqualTo(new EffectiveJob.Bounds(1024 * 1024, 500, Duration.ofHours(1), 10));
        assertThat(everything.rate()).isEqualTo(new EffectiveJob.Rate(100, Duration.ofMinutes(1)));
        assertThat(queued("job/valid-delayed-sharded-at-most-once.yaml"))
                .extracting(EffectiveJob.Queued::shards, EffectiveJob.Queued::delivery)
                .containsExactly(64, Delivery.AT_MOST_ONCE);
    }

    @Test
    void aSingletonHasNoCooldownUnlessItIsWrittenDown() throws InvalidSpec {
        var without = EffectiveJob.of(named("job/valid-singleton-cron.yaml").job());
        var with = EffectiveJob.of(named("job/valid-singleton-everything.yaml").job());

        assertThat(((EffectiveJob.Scheduled) without.work()).cooldown()).isZero();
        assertThat(((EffectiveJob.Scheduled) with.work()).cooldown()).isEqualTo(Duration.ofSeconds(90));
        assertThat(with.events()).isEqualTo(new EffectiveJob.Events(0, true));
    }

    private static EffectiveJob.Queued queued(String name) throws InvalidSpec {
        return (EffectiveJob.Queued) EffectiveJob.of(named(name).job()).work();
    }

    @Test
    void theBuiltInPolicyIsThatOfAnEmptySpec() throws InvalidSpec {
        assertThat(EffectivePolicy.of(named("policy/valid-defaults.yaml").policy()))
                .isEqualTo(EffectivePolicy.BUILT_IN);
        assertThat(EffectivePolicy.BUILT_IN.release()).isEqualTo(ReleasePolicy.HOLD_UNTIL_NEXT_RUN);
        assertThat(EffectivePolicy.BUILT_IN.worstCaseRecovery()).isEqualTo(Duration.ofSeconds(37));
    }

    @Test
    void replicatedWithoutMoreIsOneReplicaWithinHalfASecond() throws InvalidSpec {
        assertThat(EffectivePolicy.BUILT_IN.acknowledgement()).isNull();
        assertThat(EffectivePolicy.of(
                                named("policy/valid-durability-replicated.yaml").policy())
                        .acknowledgement())
                .isEqualTo(new EffectivePolicy.Acknowledgement(1, Duration.ofMillis(500)));
        assertThat(EffectivePolicy.of(named("policy/valid-everything.yaml").policy())
                        .acknowledgement())
                .isEqualTo(new EffectivePolicy.Acknowledgement(2, Duration.ofSeconds(5)));
    }

    private static Example named(String name) {
        return Example.valid()
                .filter(example -> example.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
