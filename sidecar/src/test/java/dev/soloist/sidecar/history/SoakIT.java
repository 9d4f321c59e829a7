package dev.soloist.sidecar.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.History;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A short soak; {@code make soak SECONDS=600 SEED=..} is a long one. */
class SoakIT {

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());

    @Test
    void l01_l03_w03_r03_z1_z2_z3_z4_realSidecarsKeepEveryRuleUnderFaults() throws InterruptedException {
        var plan = SoakPlan.of(seed, Duration.ofSeconds(20), new SoakSize(3, 3, 1));
        Soak.Outcome outcome;
        try (var soak = new Soak(plan)) {
            outcome = soak.run();
        }
        System.err.println(outcome.line(seed));
        Path file = Path.of("target", "soak-%d.jsonl".formatted(seed));
        if (!outcome.violations().isEmpty()) {
            History.write(outcome.events(), file);
        }
        assertThat(outcome.violations())
                .as("seed %d, history in %s, plan%n%s", seed, file, plan.table())
                .isEmpty();
        assertThat(outcome.steps()).isEqualTo(plan.steps().size());
        assertThat(outcome.runs()).isGreaterThan(10);
        assertThat(outcome.tasks()).isPositive();
        assertThat(outcome.leases()).isGreaterThan(5);
    }
}
