package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.OnDuplicate;
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
                        OnDuplicate.KEEP_EARLIEST));
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
