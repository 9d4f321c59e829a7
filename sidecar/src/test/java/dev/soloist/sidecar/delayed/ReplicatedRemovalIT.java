package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tasks that are handed out at most once, and whose removal counts only when a replica has it. */
class ReplicatedRemovalIT {

    private static final Durability ONE = new Durability.Replicated(1, Duration.ofMillis(200));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aTaskIsKeptWhileNoReplicaAcknowledgesAndHandedOutOnceWhenOneDoes() {
        try (var redis = new ReplicatedRedis();
                var board = new Board(redis.primary);
                var app = new TestApp();
                var pod = new TestPod("a", redis.primary.port())) {
            board.offer(once(app.port(), ONE), pod);
            redis.replica.pause(true);
            try {
                isKept(board, app, pod);
            } finally {
                redis.replica.pause(false);
            }

            isHandedOut(board, app, pod);
        }
    }

    @Test
    void aTaskOfAServerWithoutReplicasIsKeptUntilNobodyAsksForThem() {
        try (var redis = new RedisProcess().start();
                var board = new Board(redis);
                var app = new TestApp();
                var pod = new TestPod("a", redis.port())) {
            board.offer(once(app.port(), ONE), pod);
            isKept(board, app, pod);

            board.publish(once(app.port(), Durability.LOCAL), Duration.ZERO);

            isHandedOut(board, app, pod);
        }
    }

    private static void isKept(Board board, TestApp app, TestPod pod) {
        assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":\"a\",\"delay\":\"0\"}", "Idempotency-Key", "a")
                        .statusCode())
                .as("nor is it known whether it is accepted")
                .isEqualTo(503);
        await().atMost(PATIENCE).until(() -> delivered(pod, "givenBack") >= 2);
        assertThat(app.calls()).isEmpty();
        var task = board.queue(once(1, ONE)).inspect(TaskId.of("a")).orElseThrow();
        assertThat(task.state()).isNotIn(TaskState.DONE, TaskState.DEAD);
        assertThat(delivered(pod, "dropped") + delivered(pod, "stale")).isZero();
    }

    private static void isHandedOut(Board board, TestApp app, TestPod pod) {
        await().atMost(PATIENCE).until(() -> delivered(pod, "acked") == 1);
        assertThat(app.calls()).hasSize(1);
        assertThat(app.calls().getFirst().header("Soloist-Attempt")).isEqualTo("1");
        assertThat(board.queue(once(1, ONE))
                        .inspect(TaskId.of("a"))
                        .orElseThrow()
                        .state())
                .isEqualTo(TaskState.DONE);
        assertThat(delivered(pod, "dropped") + delivered(pod, "stale")).isZero();
    }

    private static JobDefinition once(int port, Durability durability) {
        var job = Jobs.delayed("mail", port, work -> {
            var single =
                    new DelayedWork(Duration.ofSeconds(30), 1, work.backoff(), work.concurrency(), work.onDuplicate());
            return single.with(Delivery.AT_MOST_ONCE);
        });
        return Jobs.withPolicy(job, Jobs.policy(Jobs.HELD).with(durability));
    }

    private static double delivered(TestPod pod, String result) {
        return pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"" + result + "\"}");
    }
}
