package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is often done wrong with locks and queues in Redis, and is refused by a real API server with a sentence that says what to
 * change. Each test is named after it. Those that no manifest can express are impossible in Redis.
 */
@Tag("api")
class AntiPatternsIT {

    private static KubernetesClient client;
    private static String namespace;

    @BeforeAll
    static void server() {
        client = ApiServer.running().client();
        namespace = ApiServer.running().newNamespace();
    }

    private static void assertRefused(String yaml, String sentence) {
        var asWritten = ApiSerialization.lenient().unmarshal(yaml, GenericKubernetesResource.class);
        var refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> client.resource(asWritten).inNamespace(namespace).create());

        assertThat(refusal).as("refusal of %s", yaml).isNotNull();
        assertThat(Refusal.causesOf(refusal))
                .singleElement()
                .satisfies(cause -> assertThat(cause.sentence()).endsWith(sentence));
        assertThat(Example.of("anti-pattern", yaml).checkedInJava())
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).isEqualTo(sentence));
    }

    private static String policy(String spec) {
        return """
                apiVersion: soloist.dev/v1alpha1
                kind: LockPolicy
                metadata: { name: anti-pattern }
                spec: %s
                """.formatted(spec);
    }

    /** There is no such transport: who is away when a message is sent never gets it. */
    @Test
    void pubSubAsATaskQueue() {
        assertRefused(
                """
                apiVersion: soloist.dev/v1alpha1
                kind: DistributedJob
                metadata: { name: anti-pattern }
                spec:
                  selector: { matchLabels: { app: shop } }
                  trigger: { port: 8080, path: /jobs }
                  delayed: { transport: PubSub }
                """,
                "spec.delayed.transport must be List or Stream, which keep a task until it is handled. Pub/Sub is no task queue:"
                        + " it keeps nothing, so what is sent while nobody listens is lost, and everybody who listens would do"
                        + " the work. For messages to every pod that is there use spec.broadcast");
    }

    /** With a heartbeat the lease is renewed as long as the work goes on; without one it would end in the middle. */
    @Test
    void aTtlShorterThanTheWork() {
        assertRefused(
                policy("{ ttl: 30s, maxRunTime: 5m, heartbeat: { enabled: false }, watchdog: { every: 6m } }"),
                "without spec.heartbeat.enabled, spec.ttl (30s) must be longer than spec.maxRunTime (5m), for the lease"
                        + " would end during a run: raise spec.ttl, lower spec.maxRunTime, or enable the heartbeat");
    }

    @Test
    void aTtlLongerThanTheRecoveryObjective() {
        assertRefused(
                policy("{ ttl: 5m, recoveryObjective: 1m }"),
                "spec.ttl (5m) + spec.watchdog.every (5s) + spec.watchdog.grace (2s) must be at most"
                        + " spec.recoveryObjective (1m): lower one of the three or raise spec.recoveryObjective");
    }

    /** The golden rule of a watchdog that counts ticks: it must not take over a run that goes on. */
    @Test
    void aWatchdogQuickerThanTheWork() {
        assertRefused(
                policy(
                        "{ ttl: 6m, maxRunTime: 5m, heartbeat: { enabled: false }, watchdog: { every: 5m, grace: 2s } }"),
                "without spec.heartbeat.enabled, spec.watchdog.every (5m) must be longer than spec.maxRunTime (5m)"
                        + " + spec.watchdog.grace (2s), for the watchdog would take over a run that goes on: raise"
                        + " spec.watchdog.every, lower spec.maxRunTime, or enable the heartbeat");
    }
}
