package dev.soloist.operator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectionDecisionTest {

    @Test
    void aPodWithoutTheAnnotationIsLeftAlone() {
        assertThat(decide("metadata: {}\nspec: {containers: [{name: app}]}"))
                .isEqualTo(new InjectionDecision.Skip(SkipReason.NOT_ASKED));
    }

    @Test
    void aMirrorPodIsSkippedEvenIfItAsksWrongly() {
        assertThat(decide(asking("kubernetes.io/config.mirror: x, soloist.dev/api-port: x", "")))
                .isEqualTo(new InjectionDecision.Skip(SkipReason.MIRROR_POD));
    }

    @Test
    void aWindowsPodIsSkippedWithTheReason() {
        assertThat(decide(asking("", "nodeSelector: {kubernetes.io/os: windows}")))
                .isEqualTo(new InjectionDecision.Skip(SkipReason.WINDOWS));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                soloist.dev/api-port|http|annotation soloist.dev/api-port is "http" but must be a port from 1024 to 65535
                soloist.dev/api-port|80|annotation soloist.dev/api-port is "80" but must be a port from 1024 to 65535
                soloist.dev/metrics-port|70000|annotation soloist.dev/metrics-port is "70000" but must be a port from 1024 to 65535
                soloist.dev/sidecar-cpu|much|annotation soloist.dev/sidecar-cpu is "much" but must be a Kubernetes quantity such as 50m or 128Mi
                soloist.dev/sidecar-cpu|0|annotation soloist.dev/sidecar-cpu is "0" but must be more than zero
                soloist.dev/sidecar-memory|-1Mi|annotation soloist.dev/sidecar-memory is "-1Mi" but must be a Kubernetes quantity such as 50m or 128Mi
                soloist.dev/sidecar-image|a b|annotation soloist.dev/sidecar-image is "a b" but must be an image reference without spaces
                soloist.dev/sidecar-log-level|loud|annotation soloist.dev/sidecar-log-level is "LOUD" but must be one of TRACE, DEBUG, INFO, WARN, ERROR
                soloist.dev/native-sidecar|no|annotation soloist.dev/native-sidecar is "no" but must be "true" or "false"
                soloist.dev/metrics-port|7600|annotations soloist.dev/api-port and soloist.dev/metrics-port must name two different ports
                """)
    void anInvalidAnnotationIsRefusedByName(String key, String value, String sentence) {
        assertThat(decide(asking(key + ": \"" + value + "\"", "")))
                .isEqualTo(new InjectionDecision.Refuse(List.of(sentence)));
    }

    @Test
    void allMistakesAreToldAtOnce() {
        assertThat(decide(asking("soloist.dev/api-port: x, soloist.dev/native-sidecar: x", "")))
                .asInstanceOf(type(InjectionDecision.Refuse.class))
                .satisfies(refuse -> assertThat(refuse.sentences()).hasSize(2));
    }

    @Test
    void anUnknownAnnotationIsOnlyAWarning() {
        assertThat(decide(asking("soloist.dev/api-prot: \"1\"", "")))
                .asInstanceOf(type(InjectionDecision.Inject.class))
                .satisfies(inject -> assertThat(inject.warnings())
                        .containsExactly("annotation soloist.dev/api-prot is unknown to Soloist and has no effect"));
    }

    @Test
    void hostNetworkIsRefusedUnlessBothPortsAreChosen() {
        assertThat(decide(asking("soloist.dev/api-port: \"17600\"", "hostNetwork: true")))
                .isInstanceOf(InjectionDecision.Refuse.class);
        assertThat(decide(asking(
                        "soloist.dev/api-port: \"17600\", soloist.dev/metrics-port: \"17601\"", "hostNetwork: true")))
                .isInstanceOf(InjectionDecision.Inject.class);
    }

    @Test
    void i02_aJobsPodTakesANativeSidecarOnly() {
        var owner = "ownerReferences: [{kind: Job, name: j, apiVersion: batch/v1, uid: u}]";
        assertThat(decide("metadata: {" + owner
                        + ", annotations: {soloist.dev/inject: \"true\"}}\nspec: {containers: [{name: app}]}"))
                .isInstanceOf(InjectionDecision.Inject.class);
        assertThat(
                        decide(
                                "metadata: {" + owner
                                        + ", annotations: {soloist.dev/inject: \"true\", soloist.dev/native-sidecar: \"false\"}}\nspec: {containers: [{name: app}]}"))
                .isInstanceOf(InjectionDecision.Refuse.class);
    }

    @Test
    void aPortTheAppUsesIsRefusedWithTheAnnotationToSet() {
        assertThat(decide("metadata: {annotations: {soloist.dev/inject: \"true\"}}\n"
                        + "spec: {containers: [{name: app, ports: [{containerPort: 7601}]}]}"))
                .isEqualTo(
                        new InjectionDecision.Refuse(
                                List.of(
                                        "container app uses port 7601, which the sidecar needs: set annotation soloist.dev/metrics-port to another port")));
    }

    @Test
    void aForeignVolumeOfOurNameIsRefused() {
        assertThat(decide(asking("", "volumes: [{name: soloist-token, hostPath: {path: /}}]")))
                .isInstanceOf(InjectionDecision.Refuse.class);
    }

    @Test
    void aForeignMountAtTheTokensPlaceIsRefused() {
        assertThat(decide("metadata: {annotations: {soloist.dev/inject: \"true\"}}\n"
                        + "spec: {containers: [{name: app, volumeMounts: [{name: x, mountPath: /var/run/soloist/}]}]}"))
                .isInstanceOf(InjectionDecision.Refuse.class);
    }

    private static String asking(String annotations, String spec) {
        return "metadata: {annotations: {soloist.dev/inject: \"true\""
                + (annotations.isEmpty() ? "" : ", " + annotations) + "}}\nspec: {containers: [{name: app}]"
                + (spec.isEmpty() ? "" : ", " + spec) + "}";
    }

    private static InjectionDecision decide(String yaml) {
        return InjectionDecision.of(new PodView(Serialization.unmarshal(yaml, JsonNode.class)), PodPatchTest.SETTINGS);
    }
}
