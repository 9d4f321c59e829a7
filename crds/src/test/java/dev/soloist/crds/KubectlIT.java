package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.LastRun;
import dev.soloist.crds.job.PodCounts;
import dev.soloist.crds.job.TaskCounts;
import dev.soloist.crds.job.Verdicts;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.LockPolicyStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people and scripts see through kubectl.
@Tag("api")
class KubectlIT {

    /// As kubectl writes it, however long the test has taken.
    private static final String AGE = "[0-9]+[ms][0-9s]*";

    private final ApiServer server = ApiServer.running();
    private String namespace = "";

    @TempDir
    Path folder;

    @BeforeEach
    void namespace() {
        namespace = server.newNamespace();
    }

    @Test
    void theColumnsOfASingletonReadWell() throws IOException {
        apply(Example.samples()
                .filter(sample -> sample.name().contains("singleton"))
                .findFirst()
                .orElseThrow());
        var status = new DistributedJobStatus();
        status.setType("Singleton");
        status.setSchedule("0 2 * * * Asia/Ho_Chi_Minh");
        status.setPods(PodCounts.of(2, 3, 0));
        status.setConditions(List.of(ready("True")));
        var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        status.setLastRun(new LastRun("r1", "shop-1", now.minusSeconds(90), now.minusSeconds(80), "Succeeded", null));
        status.setNextRun("2099-01-01T19:00:00Z");
        status.setHolder("shop-1");
        status.setLastVerdict(Verdicts.RAN);
        writeStatus("nightly-report", status);

        var rows = kubectl("get", "djob").text();

        assertThat(rows.lines().map(row -> row.replaceAll(" {2,}", " | ").strip()))
                .first()
                .asString()
                .isEqualTo("NAME | TYPE | SCHEDULE | PODS | READY | LAST RUN | NEXT RUN | AGE");
        assertThat(rows)
                .containsPattern("nightly-report +Singleton +0 2 \\* \\* \\* Asia/Ho_Chi_Minh +2/3 +True +" + AGE + " +"
                        + "2099-01-01T19:00:00Z +" + AGE);
        assertThat(kubectl("get", "djobs", "-o", "wide").text())
                .containsPattern("AGE +HOLDER +PENDING +VERDICT")
                .containsPattern("shop-1 +Ran");
    }

    @Test
    void theColumnsOfADelayedJobReadWell() throws IOException {
        apply(Example.samples()
                .filter(sample -> sample.name().contains("delayed"))
                .findFirst()
                .orElseThrow());
        var status = new DistributedJobStatus();
        status.setType("Delayed");
        status.setPods(PodCounts.of(3, 3, 1));
        status.setConditions(List.of(ready("False")));
        status.setDelayed(new TaskCounts(1200, 7, 3, 0, 0, null));
        writeStatus("reminders", status);

        assertThat(kubectl("get", "djob", "-o", "wide").text())
                .containsPattern("reminders +Delayed +3/4 +False +" + AGE + " +1200");
    }

    @Test
    void theColumnsOfAPolicyReadWell() throws IOException {
        apply(Example.samples().filter(sample -> !sample.isJob()).findFirst().orElseThrow());
        var fresh = new LockPolicy();
        fresh.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("careful")
                .build());
        var status = new LockPolicyStatus();
        status.setWorstCaseRecovery("37s");
        status.setUsedBy(4);
        status.setConditions(List.of(ready("True")));
        fresh.setStatus(status);
        writeStatus(fresh);

        assertThat(kubectl("get", "lockpol").text())
                .containsPattern("NAME +TTL +RELEASE +RECOVERY +USED BY +READY +AGE")
                .containsPattern("careful +30s +HoldUntilNextRun +37s +4 +True +" + AGE);
    }

    @Test
    void oneWordListsBothKinds() throws IOException {
        for (var sample : Example.samples().toList()) {
            apply(sample);
        }

        assertThat(kubectl("get", "soloist", "-o", "name").text().lines())
                .containsExactlyInAnyOrder(
                        "distributedjob.soloist.dev/nightly-report",
                        "distributedjob.soloist.dev/reminders",
                        "lockpolicy.soloist.dev/careful");
    }

    @Test
    void theSamplesFolderIsAppliedAsAWhole() {
        assertThat(kubectl("apply", "-k", "../config/samples").exitCode()).isZero();
    }

    @Test
    void waitingForReadyWorks() throws IOException {
        apply(Example.samples()
                .filter(sample -> sample.name().contains("delayed"))
                .findFirst()
                .orElseThrow());
        var status = new DistributedJobStatus();
        status.setConditions(List.of(ready("True")));
        writeStatus("reminders", status);

        assertThat(kubectl("wait", "--for=condition=Ready", "djob/reminders", "--timeout=60s")
                        .exitCode())
                .isZero();
    }

    @Test
    void conditionsOfTwoWritersStandSideBySide() throws IOException {
        apply(Example.samples()
                .filter(sample -> sample.name().contains("delayed"))
                .findFirst()
                .orElseThrow());
        var status = new DistributedJobStatus();
        status.setConditions(List.of(ready("True")));
        writeStatus("reminders", status);
        var other = new DistributedJobStatus();
        other.setConditions(List.of(new ConditionBuilder(ready("True"))
                .withType(ConditionTypes.STORE_READY)
                .build()));
        var fresh = job("reminders", other);

        server.client().resource(fresh).subresource("status").patch(apply("another-writer"));

        assertThat(server.client().resource(fresh).get().getStatus().getConditions())
                .extracting(Condition::getType)
                .containsExactlyInAnyOrder(ConditionTypes.READY, ConditionTypes.STORE_READY);
    }

    @Test
    void anUnknownFieldIsRefused() throws IOException {
        var sample = Example.samples().filter(Example::isJob).findFirst().orElseThrow();
        var typo = Example.of("typo", sample.yaml().replace("  delayed:", "  delay:"));

        var answer = kubectl("apply", "-f", file(typo).toString());

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.text()).contains("unknown field \"spec.delay\"");
    }

    @Test
    void aMistakeIsAnsweredByASentence() throws IOException {
        var sample = Example.samples()
                .filter(one -> one.name().contains("singleton"))
                .findFirst()
                .orElseThrow();
        var bad = Example.of("bad", sample.yaml().replace("0 2 * * *", "61 * * * *"));

        var answer = kubectl("apply", "-f", file(bad).toString());

        assertThat(answer.text())
                .startsWith("The DistributedJob \"nightly-report\" is invalid: spec.singleton.schedule.cron: ")
                .contains("field 1, the minute, must be of 0 to 59");
    }

    @Test
    void everyFieldOfTheSpecIsExplained() {
        // The server publishes the schema of a new kind a little after it has established the kind.
        await("kubectl explain")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(kubectl("explain", "djob.spec").text())
                        .contains("The pods that share the work", "-required-"));
        for (var crd : List.of("distributedjobs", "lockpolicies")) {
            var schema = server.client()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(crd + ".soloist.dev")
                    .get()
                    .getSpec()
                    .getVersions()
                    .getFirst()
                    .getSchema()
                    .getOpenAPIV3Schema();
            assertThat(Descriptions.missingIn(schema)).as(crd).isEmpty();
        }
    }

    private ApiServer.Answer kubectl(String... arguments) {
        var command = new ArrayList<>(List.of("-n", namespace));
        command.addAll(List.of(arguments));
        return server.kubectl(command.toArray(String[]::new));
    }

    private void apply(Example example) throws IOException {
        var answer = kubectl("apply", "-f", file(example).toString());
        assertThat(answer.exitCode()).as(answer.text()).isZero();
    }

    private Path file(Example example) throws IOException {
        return Files.writeString(folder.resolve("manifest.yaml"), example.yaml());
    }

    private static Condition ready(String status) {
        return new ConditionBuilder()
                .withType(ConditionTypes.READY)
                .withStatus(status)
                .withReason(Reasons.COORDINATING)
                .withMessage("pods share the job")
                .withLastTransitionTime("2026-01-01T00:00:00Z")
                .build();
    }

    private DistributedJob job(String name, DistributedJobStatus status) {
        var fresh = new DistributedJob();
        fresh.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        fresh.setStatus(status);
        return fresh;
    }

    private void writeStatus(String name, DistributedJobStatus status) {
        writeStatus(job(name, status));
    }

    private void writeStatus(HasMetadata fresh) {
        server.client().resource(fresh).subresource("status").patch(apply("one-writer"));
    }

    private static PatchContext apply(String writer) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(writer)
                .build();
    }
}
