package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the sidecar may not do to the pods it is injected into, and to those it is not. */
class InjectionE2E {

    @Test
    void i01_onlyPodsThatAskForASidecarWaitForTheInjector() {
        Cluster cluster = Cluster.get();
        try (var stage = new Stage("injector-down")) {
            cluster.kubectl("-n", "soloist-system", "scale", "deployment/soloist-operator", "--replicas=0");
            cluster.kubectl(
                    "-n",
                    "soloist-system",
                    "wait",
                    "--for=delete",
                    "--timeout=240s",
                    "pod",
                    "-l",
                    "app.kubernetes.io/name=soloist-operator");
            try {
                stage.apply(pod("plain", "injector-down", "{}"));
                stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/plain");
                stage.apply(deployment());
                await().atMost(Duration.ofSeconds(180))
                        .untilAsserted(
                                () -> assertThat(stage.kubectl("get", "events")).contains("failed calling webhook"));
                assertThat(stage.pods("asks")).isEmpty();
            } finally {
                cluster.kubectl("-n", "soloist-system", "scale", "deployment/soloist-operator", "--replicas=2");
                cluster.awaitInstalled();
            }
            // The next try may be as far away as the first one is past.
            stage.kubectl("rollout", "status", "deployment/asks", "--timeout=500s");
            assertThat(stage.kubectl("get", "pods", "-l", "soloist.dev/injected=true", "-o", "name")
                            .lines())
                    .hasSize(1);
        }
    }

    @Test
    void i02_aJobCompletesAlthoughASidecarRunsBesideIt() {
        try (var stage = new Stage("batch")) {
            stage.apply("""
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: once, namespace: batch}
                    spec:
                      template:
                        metadata: {annotations: {soloist.dev/inject: "true"}}
                        spec:
                          restartPolicy: Never
                          containers:
                            - name: main
                              image: soloist-e2e-app:dev
                              imagePullPolicy: Never
                              command: [python3, -c, "import os; assert os.path.exists(os.environ['SOLOIST_TOKEN_FILE'])"]
                    """);
            stage.kubectl("wait", "--for=condition=Complete", "--timeout=240s", "job/once");
        }
    }

    @Test
    void i05_aRestrictedNamespaceAdmitsTheInjectedPodAndItBecomesReady() {
        try (var stage = new Stage("restricted")) {
            Cluster.get().kubectl("label", "namespace", "restricted", "pod-security.kubernetes.io/enforce=restricted");
            stage.apply(pod("strict", "restricted", "{soloist.dev/inject: \"true\"}"));
            stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/strict");
            assertThat(stage.kubectl("get", "pod", "strict", "-o", "jsonpath={.status.initContainerStatuses[*].name}"))
                    .isEqualTo("soloist-sidecar");
        }
    }

    @Test
    void i06_aQuotaThatWantsRequestsAndLimitsAdmitsTheInjectedPod() {
        try (var stage = new Stage("quota")) {
            stage.apply("""
                    apiVersion: v1
                    kind: ResourceQuota
                    metadata: {name: quota, namespace: quota}
                    spec: {hard: {requests.cpu: "1", requests.memory: 1Gi, limits.cpu: "4", limits.memory: 1Gi}}
                    """);
            stage.apply(pod("counted", "quota", "{soloist.dev/inject: \"true\"}"));
            stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/counted");
        }
    }

    private static String pod(String name, String namespace, String annotations) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: %s, annotations: %s}
                spec:
                  terminationGracePeriodSeconds: 1
                  securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
                  containers:
                    - name: app
                      image: soloist-e2e-app:dev
                      imagePullPolicy: Never
                      command: [sleep, infinity]
                      resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {cpu: 100m, memory: 64Mi}}
                      securityContext:
                        allowPrivilegeEscalation: false
                        readOnlyRootFilesystem: true
                        capabilities: {drop: [ALL]}
                """.formatted(name, namespace, annotations);
    }

    private static String deployment() {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: asks, namespace: injector-down}
                spec:
                  selector: {matchLabels: {app: asks}}
                  template:
                    metadata: {labels: {app: asks}, annotations: {soloist.dev/inject: "true"}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      containers:
                        - name: app
                          image: soloist-e2e-app:dev
                          imagePullPolicy: Never
                          command: [sleep, infinity]
                """;
    }
}
