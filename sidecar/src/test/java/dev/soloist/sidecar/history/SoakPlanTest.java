package dev.soloist.sidecar.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.sidecar.history.SoakStep.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakPlanTest {

    private static final SoakSize SIZE = new SoakSize(4, 4, 2);

    @Test
    void oneSeedGivesOnePlan() {
        SoakPlan plan = SoakPlan.of(7, Duration.ofSeconds(60), SIZE);

        assertThat(SoakPlan.of(7, Duration.ofSeconds(60), SIZE)).isEqualTo(plan);
        assertThat(SoakPlan.of(8, Duration.ofSeconds(60), SIZE)).isNotEqualTo(plan);
        assertThat(plan.table().lines()).hasSameSizeAs(plan.steps());
    }

    @Test
    void aLongPlanHasEveryKindOfFaultAndOneFailover() {
        SoakPlan plan = SoakPlan.of(1, Duration.ofMinutes(5), SIZE);

        assertThat(plan.steps()).extracting(SoakStep::kind).contains(Kind.values());
        assertThat(plan.steps())
                .filteredOn(step -> step.kind() == Kind.FAILOVER)
                .hasSize(1);
        assertThat(plan.steps()).isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
    }

    @Test
    void aShortPlanLosesNoData() {
        assertThat(SoakPlan.of(1, Duration.ofSeconds(20), SIZE).steps())
                .extracting(SoakStep::kind)
                .doesNotContain(Kind.FAILOVER);
    }
}
