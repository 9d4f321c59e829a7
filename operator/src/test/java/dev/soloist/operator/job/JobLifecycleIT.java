package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.Finalizers;
import dev.soloist.crds.job.LastRun;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Kubectl;
import dev.soloist.operator.testkit.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a job under one operator that has exactly the rights of config/rbac. */
@Tag("api")
class JobLifecycleIT {

    /** Longer than any test, for its end is not what they are about. */
    private static final Duration LEASE = Duration.ofMinutes(10);

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
    void namespace() {
        namespace = ApiServer.newNamespace();
    }

    @Test
    void aJobIsReadyWhenAPodWithASidecarIs() {
        var pod = Pods.ready(namespace, "report", "report-1");
        var id = new JobId(namespace, "report");
        var before = Instant.now();
        Jobs.apply(Jobs.singleton(namespace, "report", "{every: 30s}"));

        Kubectl.run("wait", "--for=condition=Ready", "djob/report", "-n", namespace, "--timeout=60s");

        var status = Jobs.status(id);
        assertThat(status.getPods().summary()).isEqualTo("1/1");
        assertThat(status.getType()).isEqualTo("Singleton");
        assertThat(status.getSchedule()).isEqualTo("every 30s");
        assertThat(Instant.parse(status.getNextRun())).isAfter(before.minusSeconds(5));
        assertThat(status.getObservedGeneration()).isEqualTo(1);
        assertThat(Jobs.get(id).orElseThrow().getMetadata().getFinalizers())
                .containsExactly(Finalizers.DISTRIBUTED_JOB);
        eventually().untilAsserted(() -> {
            var registration = operator.store()
                    .registrations()
                    .read(namespace, pod.getMetadata().getUid());
            assertThat(registration.eligible()).isTrue();
            assertThat(registration.jobs()).extracting(job -> job.id()).containsExactly(id);
        });
        var columns = Kubectl.run("get", "djob", "report", "-n", namespace);
        assertThat(columns).contains("TYPE", "NEXT RUN", "Singleton", "every 30s", "1/1", "True");
    }

    @Test
    void podsThatComeAndGoAreCountedAndTheReasonIsTold() {
        var id = new JobId(namespace, "queue");
        Jobs.apply(Jobs.delayed(namespace, "queue"));
        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("NoMatchingPod"));

        var pod = Pods.ready(namespace, "queue", "queue-1");
        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));

        Pods.notReady(pod);
        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("NoReadyPod"));
        assertThat(Jobs.condition(id, "Reconciling").getStatus()).isEqualTo("True");
        assertThat(Jobs.status(id).getDelayed().pending()).isZero();
        eventually()
                .until(() -> !operator.store()
                        .registrations()
                        .read(namespace, pod.getMetadata().getUid())
                        .eligible());
    }

    @Test
    void aPodWithoutASidecarIsCountedAsMissingOne() {
        var id = new JobId(namespace, "bare");
        Pods.withoutSidecar(namespace, "bare", "bare-1");
        Jobs.apply(Jobs.singleton(namespace, "bare", "{every: 30s}"));

        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("NoInjectedPod"));
        assertThat(Jobs.status(id).getPods().missingSidecars()).isEqualTo(1);
    }

    @Test
    void t06_twentyAppliesFromTwoClientsLeaveOneTokenOfTheLastGeneration() throws Exception {
        var id = new JobId(namespace, "twice");
        Jobs.apply(Jobs.singleton(namespace, "twice", "{every: 1h}"));
        try (var clients = Executors.newFixedThreadPool(2)) {
            var calls = IntStream.range(0, 20)
                    .mapToObj(i -> clients.submit(() -> Jobs.apply(
                            Jobs.singleton(namespace, "twice", i % 2 == 0 ? "{cron: \"0 0 1 1 *\"}" : "{every: 1h}"))))
                    .toList();
            for (var call : calls) {
                call.get();
            }
        }
        Jobs.apply(Jobs.singleton(namespace, "twice", "{every: 2h}"));

        eventually().untilAsserted(() -> {
            var snapshot = operator.store().singletons().snapshot(id);
            assertThat(snapshot.spec().scheduleText()).isEqualTo("every 7200000");
            assertThat(Jobs.status(id).getObservedGeneration())
                    .isEqualTo(Jobs.get(id).orElseThrow().getMetadata().getGeneration());
        });
        var keys = operator.store().keys();
        assertThat(operator.store().link().call("ZCARD", keys.delayed(id))).isEqualTo(List.of(1L));
        assertThat(operator.store().link().call("LLEN", keys.ready(id))).isEqualTo(List.of(0L));
    }

    @Test
    void t07_aNewScheduleCountsAtOnce() {
        var id = new JobId(namespace, "changed");
        Jobs.apply(Jobs.singleton(namespace, "changed", "{cron: \"0 0 1 1 *\"}"));
        eventually()
                .untilAsserted(() -> assertThat(Jobs.status(id).getNextRun()).isNotNull());

        Jobs.apply(Jobs.singleton(namespace, "changed", "{cron: \"* * * * *\"}"));

        eventually()
                .untilAsserted(() -> assertThat(Instant.parse(Jobs.status(id).getNextRun()))
                        .isBefore(Instant.now().plusSeconds(65)));
    }

    @Test
    void aMissingPolicyIsAConditionThatItsCreationCures() {
        Pods.ready(namespace, "careful", "careful-1");
        var id = new JobId(namespace, "careful");
        Jobs.apply(Jobs.yaml(namespace, "careful", "singleton: {schedule: {every: 30s}}\n  lockPolicy: strict"));
        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("PolicyNotFound"));
        assertThat(Jobs.condition(id, "Stalled").getStatus()).isEqualTo("True");

        Jobs.apply("apiVersion: soloist.dev/v1alpha1\nkind: LockPolicy\nmetadata: {name: strict, namespace: "
                + namespace + "}\nspec: {ttl: 20s, heartbeat: {every: 5s}}");

        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));
        assertThat(Jobs.condition(id, "Stalled").getStatus()).isNull();
        eventually()
                .untilAsserted(() -> assertThat(Kubectl.run("get", "lockpol", "strict", "-n", namespace))
                        .contains("27s", "True")
                        .containsPattern("\\b1\\b"));
    }

    @Test
    void c02_aSuspendedJobIsPausedAndGoesOnAtItsNextSlot() {
        var id = new JobId(namespace, "pausing");
        Jobs.apply(Jobs.singleton(namespace, "pausing", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));

        Jobs.edit(id, "{\"spec\":{\"suspend\":true}}");
        eventually().untilAsserted(() -> {
            assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.PAUSED);
            assertThat(Jobs.condition(id, "Suspended").getStatus()).isEqualTo("True");
        });
        // A roll-back of Redis may bring an older wish back: the operator asserts the present one again.
        operator.store().singletons().resume(id, Instant.now().plusSeconds(3600));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.PAUSED));

        Jobs.edit(id, "{\"spec\":{\"suspend\":false}}");
        eventually().untilAsserted(() -> {
            assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.DELAYED);
            assertThat(Jobs.condition(id, "Suspended").getStatus()).isEqualTo("False");
        });
        assertThat(operator.store().singletons().snapshot(id).due())
                .isAfter(Instant.now().plusSeconds(3000));
        eventually().untilAsserted(() -> {
            assertThat(Jobs.events(id, "Suspended")).hasSize(1);
            assertThat(Jobs.events(id, "Resumed")).hasSize(1);
        });
    }

    @Test
    void runNowIsAnsweredOncePerValueAndRefusedWithAReason() {
        var id = new JobId(namespace, "asked");
        Jobs.apply(Jobs.singleton(namespace, "asked", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));

        Kubectl.run("annotate", "djob", "asked", "-n", namespace, "soloist.dev/run-now=first");
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.READY));
        eventually().untilAsserted(() -> assertThat(Jobs.status(id).getRunNow()).isEqualTo("first"));

        var holder = Holder.take(operator.store(), id, "pod-1", "asked-1", LEASE);
        holder.finish(RunResult.SUCCEEDED, Instant.now().plusSeconds(3600), ReleasePolicy.HOLD_UNTIL_NEXT_RUN);
        Kubectl.run("annotate", "djob", "asked", "-n", namespace, "--overwrite", "soloist.dev/run-now=second");
        eventually()
                .untilAsserted(() -> assertThat(Jobs.events(id, "RunNowRefused"))
                        .singleElement()
                        .satisfies(event -> assertThat(event.getNote())
                                .contains("the lock policy or the cooldown lets no run begin before")));
        assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.DELAYED);
    }

    @Test
    void theLastRunAndItsHolderAreShownAndOnlyTransitionsAreTold() {
        Pods.ready(namespace, "shown", "shown-1");
        var id = new JobId(namespace, "shown");
        Jobs.apply(Jobs.singleton(namespace, "shown", "{every: 1h}"));
        eventually()
                .untilAsserted(() ->
                        assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));
        for (int run = 0; run < 5; run++) {
            Holder.take(operator.store(), id, "pod-1", "shown-1", LEASE)
                    .finish(RunResult.SUCCEEDED, Instant.now().plusSeconds(3600), ReleasePolicy.ON_COMPLETION);
        }
        var last = Holder.take(operator.store(), id, "pod-1", "shown-1", LEASE);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(Jobs.status(id).getHolder()).isEqualTo("shown-1");
            assertThat(Jobs.status(id).getLastRun().id())
                    .isEqualTo("shown/" + last.grant().generation() + "/"
                            + last.grant().fence());
        });
        last.finish(RunResult.FAILED, Instant.now().plusSeconds(3600), ReleasePolicy.ON_COMPLETION);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(Jobs.status(id).getConsecutiveFailures()).isEqualTo(1);
            assertThat(Jobs.status(id).getLastVerdict()).isEqualTo("Ran");
            assertThat(Jobs.status(id).getRecentRuns())
                    .extracting(LastRun::result)
                    .containsExactly("Failed", "Succeeded", "Succeeded", "Succeeded", "Succeeded");
            assertThat(Jobs.status(id).getLastRun())
                    .isEqualTo(Jobs.status(id).getRecentRuns().getFirst());
        });
        eventually().untilAsserted(() -> {
            assertThat(Jobs.events(id, "RunFailed")).hasSize(1);
            assertThat(Jobs.events(id, "RunSucceeded")).hasSize(1);
            assertThat(Jobs.events(id, "Ready")).hasSize(1);
        });
        var description = Kubectl.run("describe", "djob", "shown", "-n", namespace);
        assertThat(description).contains("RunFailed", "Failed", "Next Run", "Recent Runs", "shown-1");
    }

    @Test
    void aDeletedJobWaitsForItsRunInProgress() {
        var id = new JobId(namespace, "busy");
        Jobs.apply(Jobs.singleton(namespace, "busy", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));
        var holder = Holder.take(operator.store(), id, "pod-1", "busy-1", LEASE);

        Jobs.delete(id);
        eventually().until(() -> holder.renew(LEASE) instanceof Renewal.Renewed(var _, var cancel) && cancel);
        assertThat(Jobs.get(id)).as("waits for the run").isPresent();

        assertThat(holder.finish(RunResult.ABORTED, Instant.now(), ReleasePolicy.ON_COMPLETION))
                .isInstanceOf(Finishing.Finished.class);
        eventually().until(() -> Jobs.get(id).isEmpty());
        assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.DELETED);
        assertThat(operator.store().registrations().published(namespace)).isEmpty();
    }

    @Test
    void aDeletedJobWhoseHolderIsDeadGoesWhenTheLeaseIsOver() {
        var id = new JobId(namespace, "dead");
        Jobs.apply(Jobs.singleton(namespace, "dead", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));
        Holder.take(operator.store(), id, "pod-1", "dead-1", Duration.ofSeconds(3));

        Jobs.delete(id);

        await().atMost(Duration.ofSeconds(60)).until(() -> Jobs.get(id).isEmpty());
    }

    @Test
    void aJobMadeAgainUnderItsNameStartsAboveAllEarlierFences() {
        var id = new JobId(namespace, "again");
        Jobs.apply(Jobs.singleton(namespace, "again", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));
        var first = Holder.take(operator.store(), id, "pod-1", "again-1", LEASE);
        first.finish(RunResult.SUCCEEDED, Instant.now().plusSeconds(3600), ReleasePolicy.ON_COMPLETION);
        Jobs.delete(id);
        eventually().until(() -> Jobs.get(id).isEmpty());

        Jobs.apply(Jobs.singleton(namespace, "again", "{every: 1h}"));
        eventually()
                .untilAsserted(() -> assertThat(
                                operator.store().singletons().snapshot(id).state())
                        .isEqualTo(SingletonState.DELAYED));

        var second = Holder.take(operator.store(), id, "pod-2", "again-2", LEASE);
        assertThat(second.grant().fence()).isGreaterThan(first.grant().fence());
    }

    @Test
    void aDeletedDelayedJobTakesItsTasksAlong() {
        var id = new JobId(namespace, "tasks");
        Jobs.apply(Jobs.delayed(namespace, "tasks"));
        eventually()
                .untilAsserted(() -> assertThat(operator.store().registrations().published(namespace))
                        .contains("tasks"));
        operator.store().link().call("HSET", operator.store().keys().tasks(id), "t", "x");

        Jobs.delete(id);

        eventually().until(() -> Jobs.get(id).isEmpty());
        assertThat(operator.store()
                        .link()
                        .call("EXISTS", operator.store().keys().tasks(id)))
                .isEqualTo(List.of(0L));
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }
}
