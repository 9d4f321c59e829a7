package dev.soloist.operator.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class PodReaderTest {

    private static final String CONTAINERS =
            "initContainers: [{name: soloist-sidecar, restartPolicy: Always}], containers: [{name: app}, {name: proxy}]";

    @Test
    void aReadyPodWithASidecarTakesPart() {
        var facts = read("", CONTAINERS, "phase: Running, conditions: [{type: Ready, status: \"True\"}]");

        assertThat(facts.participation()).isEqualTo(Participation.READY);
        assertThat(facts.stage()).isEqualTo(Stage.LIVE);
        assertThat(facts.apps()).containsExactly(ContainerState.UNKNOWN, ContainerState.UNKNOWN);
    }

    @Test
    void theLabelWithoutTheContainerDoesNotTakePart() {
        var facts = read("", "containers: [{name: app}]", "conditions: [{type: Ready, status: \"True\"}]");

        assertThat(facts.participation()).isEqualTo(Participation.NOT_READY);
    }

    @Test
    void aPodThatIsBeingDeletedIsEndingHoweverReady() {
        var facts = read(
                ", deletionTimestamp: \"2026-01-01T00:00:00Z\"",
                CONTAINERS,
                "conditions: [{type: Ready, status: \"True\"}]");

        assertThat(facts.stage()).isEqualTo(Stage.ENDING);
        assertThat(facts.participation()).isEqualTo(Participation.NOT_READY);
    }

    @Test
    void containersAreReadFromBothLists() {
        var facts = read(
                "",
                CONTAINERS,
                "phase: Failed, initContainerStatuses: [{name: soloist-sidecar, state: {terminated: {exitCode: 0}}}], "
                        + "containerStatuses: [{name: app, state: {running: {}}}, {name: proxy, state: {waiting: {reason: CrashLoopBackOff}}}]");

        assertThat(facts.stage()).isEqualTo(Stage.ENDING);
        assertThat(facts.sidecar()).isEqualTo(ContainerState.TERMINATED);
        assertThat(facts.apps()).containsExactly(ContainerState.RUNNING, ContainerState.UNKNOWN);
    }

    @Test
    void anOrdinarySidecarIsNoApp() {
        var facts = read("", "containers: [{name: app}, {name: soloist-sidecar}]", "phase: Running");

        assertThat(facts.apps()).hasSize(1);
    }

    @Test
    void aPodWithoutAStatusIsOnlyUnknown() {
        assertThat(read("", CONTAINERS, "").sidecar()).isEqualTo(ContainerState.UNKNOWN);
    }

    private static PodFacts read(String meta, String spec, String status) {
        return PodReader.read(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: ns, uid: u%s}
                spec: {%s}
                status: {%s}
                """.formatted(meta, spec, status), Pod.class));
    }
}
