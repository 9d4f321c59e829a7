package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.job.NotedEvent;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the status says of each kind of job, and of its event log. */
@Tag("api")
class KindsOfJobsIT {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final RedisProcess REDIS = new RedisProcess();

    private static RunningOperator operator;
    private static Store store;
    private String namespace = "";

    @BeforeAll
    static void start() {
        REDIS.start();
        operator = RunningOperator.start(REDIS);
        store = operator.store();
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
    void aBroadcastJobTellsItsPodsAndHasNeitherRunsNorTasks() {
        var id = new JobId(namespace, "reload");
        Pods.ready(namespace, "reload", "reload-1");
        Jobs.apply(Jobs.yaml(namespace, "reload", "broadcast: {}"));

        eventually().untilAsserted(() -> {
            var status = Jobs.status(id);
            assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True");
            assertThat(status.getType()).isEqualTo("Broadcast");
            assertThat(status.getSchedule()).isEqualTo("when sent");
            assertThat(status.getPods().summary()).isEqualTo("1/1");
            assertThat(status.getDelayed()).isNull();
            assertThat(status.getNextRun()).isNull();
            assertThat(status.getLastRun()).isNull();
            assertThat(status.getHolder()).isNull();
            assertThat(status.getEventLog()).isNull();
            assertThat(status.getWorstCaseRecovery()).isNull();
        });
        assertThat(definition(id).work()).isInstanceOf(BroadcastWork.class);
    }

    @Test
    void theEventLogOfRunsIsShownAndGoesWithItsLengthAndSaysWhenTheStoreHasNone() {
        var id = new JobId(namespace, "report");
        Jobs.apply(Jobs.yaml(namespace, "report", "singleton: {schedule: {every: 1h}}\n  eventLog: {maxLength: 10}"));
        eventually().until(() -> store.singletons().snapshot(id).state() == SingletonState.DELAYED);
        var run = Holder.take(store, id, "pod-1", "report-1", LONG);
        var next = store.link().now().plusSeconds(3600);
        run.finish(
                new FinishRequest(RunResult.FAILED, "no", next, false, ReleasePolicy.ON_COMPLETION, Duration.ZERO), 10);

        eventually()
                .untilAsserted(() -> assertThat(Jobs.status(id).getEventLog())
                        .isNotNull()
                        .satisfies(log -> {
                            assertThat(log.kept()).isEqualTo(1);
                            assertThat(log.unavailable()).isNull();
                            assertThat(log.recent()).singleElement().satisfies(event -> {
                                assertThat(event.type()).isEqualTo("RunEnded");
                                assertThat(event.outcome()).isEqualTo("Failed");
                                assertThat(event.subject())
                                        .isEqualTo("report/" + run.grant().generation() + "/"
                                                + run.grant().fence());
                                assertThat(log.position()).isEqualTo(event.id());
                            });
                        }));

        store.link().call("ACL", "SETUSER", "default", "-xlen");
        try {
            eventually().untilAsserted(() -> {
                var log = Objects.requireNonNull(Jobs.status(id).getEventLog());
                assertThat(log.unavailable()).contains("keeps no event log", "streams");
                assertThat(log.kept()).isNull();
                assertThat(log.recent()).isNull();
            });
        } finally {
            store.link().call("ACL", "SETUSER", "default", "+xlen");
        }
        eventually()
                .untilAsserted(
                        () -> assertThat(Objects.requireNonNull(Jobs.status(id).getEventLog())
                                        .kept())
                                .isEqualTo(1));

        Jobs.edit(id, "{\"spec\":{\"eventLog\":{\"maxLength\":0}}}");
        eventually().untilAsserted(() -> {
            assertThat(Jobs.status(id).getEventLog()).isNull();
            assertThat(exists(store.keys().log(id))).isFalse();
        });
    }

    @Test
    void theEventLogOfADelayedJobTellsWhichTasksDied() {
        var id = new JobId(namespace, "mail");
        Jobs.apply(Jobs.yaml(
                namespace, "mail", "delayed: {maxAttempts: 3, backoff: {initial: 1s}}\n  eventLog: {maxLength: 10}"));
        eventually().until(() -> isPublished(id));
        var me = InstanceId.create("pod-uid");
        store.instances(id).register(me, "mail-1", LONG);
        var queue = queue(id);
        enqueue(queue, me, "a");
        queue.giveBack(me, GiveBack.dead(reserved(queue, me).getFirst().held(), "no such address"), 3);

        eventually().untilAsserted(() -> {
            var status = Jobs.status(id);
            assertThat(status.getDelayed().dead()).isEqualTo(1);
            // 30 s of visibility, 6 s to a look, 1 s of back-off, 1 s.
            assertThat(status.getWorstCaseRecovery()).isEqualTo("38s");
            assertThat(status.getEventLog()).isNotNull();
            assertThat(status.getEventLog().recent())
                    .extracting(NotedEvent::type, NotedEvent::subject, NotedEvent::outcome)
                    .containsExactly(tuple("TaskDied", "a", "Refused"));
        });
    }

    private static DelayedQueue queue(JobId id) {
        var job = definition(id);
        return store.queue(job, store.arrange(job));
    }

    private static boolean exists(String... keys) {
        return !store.link().call("EXISTS", keys).equals(List.of(0L));
    }

    private static boolean isPublished(JobId id) {
        return store.link()
                .call("HEXISTS", store.keys().jobs(id.namespace()), id.name())
                .contains(1L);
    }

    private static JobDefinition definition(JobId id) {
        var json = (byte[]) store.link()
                .call("HGET", store.keys().jobs(id.namespace()), id.name())
                .getFirst();
        return JobDefinitionJson.read(new String(json, StandardCharsets.UTF_8));
    }

    private static void enqueue(DelayedQueue queue, InstanceId me, String id) {
        var task = new NewTask(
                TaskId.of(id),
                Payload.of(new byte[0], "x"),
                When.now(),
                Nonce.create().value(),
                OnDuplicate.REJECT);
        assertThat(queue.enqueue(me, task)).isInstanceOf(Enqueue.Accepted.class);
    }

    private static List<ReservedTask> reserved(DelayedQueue queue, InstanceId me) {
        var answer = queue.reserve(me, new ReserveRequest(Nonce.create(), 10, LONG, 3));
        return ((Reservation.Reserved) answer).tasks();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(200));
    }
}
