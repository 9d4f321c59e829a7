package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator on a server without scripts that answers as Pika does. What is proven is our side of it, not Pika's. */
@Tag("api")
class CasOperatorIT {

    @Test
    void aJobIsSeededAndItsPodsAreToldWhereToLookAndInWhichMode() {
        var namespace = ApiServer.newNamespace();
        var report = new JobId(namespace, "report");
        var mails = new JobId(namespace, "mails");
        Pods.ready(namespace, "report", "report-1");
        Pods.ready(namespace, "mails", "mails-1");
        try (var pika = new PikaStandIn().start();
                var operator = RunningOperator.start(pika)) {
            Jobs.apply(Jobs.singleton(namespace, "report", "{every: 1h}"));
            Jobs.apply(Jobs.delayed(namespace, "mails"));

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(Jobs.condition(report, "Ready").getStatus()).isEqualTo("True");
                assertThat(Jobs.condition(mails, "Ready").getStatus()).isEqualTo("True");
            });
            assertThat(operator.store().singletons().snapshot(report).state()).isEqualTo(SingletonState.DELAYED);
            var secret = ApiServer.admin()
                    .secrets()
                    .inNamespace(namespace)
                    .withName("soloist-store")
                    .get();
            assertThat(text(secret.getData().get("mode"))).isEqualTo("Cas");
            assertThat(text(secret.getData().get("address"))).isEqualTo(pika.address());
            assertThat(secret.getData()).doesNotContainKeys("username", "password");

            Jobs.delete(report);
            Jobs.delete(mails);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Jobs.get(report).isEmpty() && Jobs.get(mails).isEmpty());
        }
    }

    @Test
    void aPatternThatNeedsScriptsIsRefusedWithItsSentenceUntilItIsEditedAway() {
        var namespace = ApiServer.newNamespace();
        var mails = new JobId(namespace, "mails");
        Pods.ready(namespace, "mails", "mails-1");
        try (var pika = new PikaStandIn().start();
                var operator = RunningOperator.start(pika)) {
            Jobs.apply(Jobs.yaml(namespace, "mails", "delayed: {shards: 2}\n  eventLog: {maxLength: 10}"));

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(Jobs.condition(mails, "Stalled").getReason()).isEqualTo("NotOnThisStore");
                assertThat(Jobs.condition(mails, "Ready").getMessage())
                        .contains("spec.delayed.shards above 1 needs a store with scripts")
                        .contains("spec.eventLog needs a store with scripts");
            });
            assertThat(operator.store().registrations().published(namespace)).isEmpty();

            Jobs.edit(mails, "{\"spec\": {\"eventLog\": null, \"delayed\": {\"shards\": 1}}}");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(Jobs.condition(mails, "Ready").getStatus())
                                    .isEqualTo("True"));
        }
    }

    private static String text(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }
}
