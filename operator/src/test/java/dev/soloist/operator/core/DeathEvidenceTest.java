package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeathEvidenceTest {

    @ParameterizedTest(name = "{0} pod, sidecar {1}, apps {2}: {3}")
    @CsvSource({
        "ENDING, TERMINATED, TERMINATED,             INSTANCE_AND_RUN",
        "ENDING, TERMINATED, TERMINATED TERMINATED,  INSTANCE_AND_RUN",
        "ENDING, TERMINATED, TERMINATED RUNNING,     INSTANCE",
        "ENDING, TERMINATED, UNKNOWN,                INSTANCE",
        "ENDING, RUNNING,    TERMINATED,             NONE",
        "ENDING, UNKNOWN,    TERMINATED,             NONE",
        // The node is silent: the status still says what was true before.
        "ENDING, RUNNING,    RUNNING,                NONE",
        // In a living pod both may run again by now.
        "LIVE,   TERMINATED, TERMINATED,             NONE",
        "LIVE,   TERMINATED, RUNNING,                NONE",
        "LIVE,   RUNNING,    RUNNING,                NONE",
    })
    void onlyWhatWasSeenToEndForGoodIsDead(Stage stage, ContainerState sidecar, String apps, DeathEvidence expected) {
        var states = Arrays.stream(apps.split(" ")).map(ContainerState::valueOf).toList();

        assertThat(DeathEvidence.of(pod(stage, sidecar, states))).isEqualTo(expected);
    }

    private static PodFacts pod(Stage stage, ContainerState sidecar, List<ContainerState> apps) {
        return new PodFacts("ns", "uid", "name", Map.of(), Participation.NOT_READY, stage, sidecar, apps);
    }
}
