package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Kubectl;
import dev.soloist.operator.testkit.Pods;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects that this version would not admit are stored all the same: by an older CRD, or by a newer one. */
@Tag("api")
class BadObjectIT {

    private static final String CRD = "crd/bases/distributedjobs.soloist.dev-v1.yml";
    private static final RedisProcess REDIS = new RedisProcess();
    private static RunningOperator operator;
    private String namespace = "";

    @BeforeAll
    static void start() {
        REDIS.start();
        operator = RunningOperator.start(REDIS);
    }

    @AfterAll
    static void stop() {
        operator.close();
        REDIS.close();
    }

    @BeforeEach
    void aCrdThatAdmitsEverything() {
        namespace = ApiServer.newNamespace();
        var crd = Serialization.unmarshal(ApiServer.textOf(CRD), ObjectNode.class);
        for (var version : crd.at("/spec/versions")) {
            var schema = (ObjectNode) version.at("/schema/openAPIV3Schema");
            schema.remove("x-kubernetes-validations");
            ((ObjectNode) schema.path("properties"))
                    .putObject("spec")
                    .put("type", "object")
                    .put("x-kubernetes-preserve-unknown-fields", true);
        }
        Kubectl.applyServerSide(crd.toString());
    }

    @AfterEach
    void ourCrd() {
        ApiServer.admin().resources(DistributedJob.class).inNamespace(namespace).delete();
        ApiServer.applyConfig(CRD);
    }

    @Test
    void v02_aBadScheduleIsAConditionOfItsJobAndTheOthersGoOn() {
        var bad = new JobId(namespace, "bad");
        stored(Jobs.singleton(namespace, "bad", "{cron: super cron today}"));
        stored(Jobs.singleton(namespace, "never", "{cron: \"0 0 30 2 *\"}"));
        stored(Jobs.singleton(namespace, "nozone", "{cron: \"0 0 * * *\", timeZone: Mars/Base}"));

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (var name : new String[] {"bad", "never", "nozone"}) {
                var ready = Jobs.condition(new JobId(namespace, name), "Ready");
                assertThat(ready.getStatus()).isEqualTo("False");
                assertThat(ready.getReason()).as(name).isEqualTo("InvalidSchedule");
            }
        });
        assertThat(Jobs.condition(bad, "Stalled").getStatus()).isEqualTo("True");
        for (int i = 0; i < 20; i++) {
            Jobs.apply(Jobs.singleton(namespace, "good-" + i, "{every: 1h}"));
        }
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (int i = 0; i < 20; i++) {
                assertThat(operator.store()
                                .singletons()
                                .snapshot(new JobId(namespace, "good-" + i))
                                .state())
                        .isEqualTo(SingletonState.DELAYED);
            }
        });
        assertThat(operator.store().singletons().snapshot(bad).state()).isEqualTo(SingletonState.ABSENT);
        assertThat(operator.halts()).isZero();
    }

    @Test
    void aFieldAndAnEnumValueOfTheFutureDoNotStopTheOperator() {
        stored(Jobs.yaml(
                namespace, "future", "delayed: {transport: Quantum, another: {field: 1}}\n  futureField: true"));
        Pods.ready(namespace, "present", "present-1");
        Jobs.apply(Jobs.singleton(namespace, "present", "{every: 1h}"));

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(Jobs.condition(new JobId(namespace, "future"), "Ready").getReason())
                    .isEqualTo("InvalidSpec");
            assertThat(Jobs.condition(new JobId(namespace, "present"), "Ready").getStatus())
                    .isEqualTo("True");
        });
        assertThat(Kubectl.run("get", "djob", "future", "-n", namespace, "-o", "jsonpath={.spec.futureField}"))
                .isEqualTo("true");
    }

    private static void stored(String yaml) {
        // The API server takes a moment to serve the schema that admits it.
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> Kubectl.apply(yaml));
    }
}
