package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the operator does for a job whose tasks go through a stream. */
@Tag("api")
class StreamJobIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final RedisProcess redis = new RedisProcess();

    @BeforeEach
    void start() {
        redis.start();
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void f13_aLostStreamIsToldOnceAndAJobThatLeavesStreamsLosesNoTask() {
        var namespace = ApiServer.newNamespace();
        var id = new JobId(namespace, "letters");
        Pods.ready(namespace, "letters", "letters-1");
        try (var operator = RunningOperator.start(redis)) {
            var store = operator.store();
            Jobs.apply(Jobs.yaml(namespace, "letters", "delayed: {transport: Stream, stream: {retention: 1h}}"));
            await().atMost(SOON).until(() -> published(store, id));
            var queue = store.queue(definition(store, id), Layout.SINGLE);
            var me = InstanceId.create("pod-uid");
            store.instances(id).register(me, "letters-1", LONG);
            enqueue(queue, me, "a");
            assertThat(queue.ack(reserved(queue, me).getFirst().held())).isEqualTo(Ack.ACKED);
            enqueue(queue, me, "b");
            store.link().call("DEL", store.keys().taskStream(id));

            var held = reserved(queue, me).getFirst();

            await().atMost(SOON).until(() -> !Jobs.events(id, "StreamLost").isEmpty());
            await().atMost(SOON)
                    .until(() -> queue.stream().orElseThrow().state().told() == 1);
            enqueue(queue, me, "c");

            Jobs.edit(id, "{\"spec\":{\"delayed\":{\"transport\":\"List\",\"stream\":null}}}");
            await().atMost(SOON)
                    .until(() -> store.link()
                            .call("EXISTS", store.keys().taskStream(id))
                            .contains(0L));
            var list = store.queue(definition(store, id), Layout.SINGLE);
            assertThat(list.stream()).isEmpty();
            assertThat(list.ack(held.held())).isEqualTo(Ack.ACKED);
            assertThat(reserved(list, me)).extracting(task -> task.id().text()).containsExactly("c");
            assertThat(Jobs.events(id, "StreamLost")).hasSize(1);
        }
    }

    private static boolean published(Store store, JobId id) {
        return store.link()
                .call("HEXISTS", store.keys().jobs(id.namespace()), id.name())
                .contains(1L);
    }

    private static JobDefinition definition(Store store, JobId id) {
        var json = (byte[]) store.link()
                .call("HGET", store.keys().jobs(id.namespace()), id.name())
                .getFirst();
        return JobDefinitionJson.read(new String(json, StandardCharsets.UTF_8));
    }

    private static void enqueue(DelayedQueue queue, InstanceId me, String id) {
        queue.enqueue(
                me,
                new NewTask(
                        TaskId.of(id),
                        Payload.of(new byte[0], "x"),
                        When.now(),
                        Nonce.create().value(),
                        OnDuplicate.REJECT));
    }

    private static List<ReservedTask> reserved(DelayedQueue queue, InstanceId me) {
        var answer = queue.reserve(me, new ReserveRequest(Nonce.create(), 10, LONG, 3));
        return ((Reservation.Reserved) answer).tasks();
    }
}
