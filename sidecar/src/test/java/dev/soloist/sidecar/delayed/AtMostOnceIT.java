package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that are removed before their app sees them. */
class AtMostOnceIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void aTaskIsGoneFromTheQueueWhenTheAppSeesIt() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("a", REDIS.port())) {
            var job = offer(board, app, pod);
            enqueue(pod, "a");

            await().until(() -> !app.calls().isEmpty());
            assertThat(board.queue(job).inspect(TaskId.of("a")).orElseThrow().state())
                    .isEqualTo(TaskState.DONE);
            assertThat(board.queue(job).counts(List.of()).inFlight()).isZero();
            gate.countDown();
            await().until(() -> delivered(pod, "acked") == 1);
        }
    }

    /** Longer than the visibility: nothing is left that could come back. */
    @ParameterizedTest
    @ValueSource(ints = {500, 400, 429, 503})
    void aTaskThatTheAppDoesNotHandleIsNotTriedAgain(int status) {
        try (var board = new Board(REDIS);
                var app = new TestApp().does(call -> status);
                var pod = new TestPod("a", REDIS.port())) {
            var job = offer(board, app, pod);
            enqueue(pod, "a");

            await().until(() -> delivered(pod, "dropped") == 1);
            app.does(call -> 200);
            enqueue(pod, "b");
            await().until(() -> delivered(pod, "acked") == 1);
            assertThat(app.calls()).hasSize(2);
            assertThat(board.queue(job).dead(0, 10)).isEmpty();
            assertThat(board.queue(job).inspect(TaskId.of("a")).orElseThrow().state())
                    .isEqualTo(TaskState.DONE);
        }
    }

    @Test
    void aTaskWhoseAppDoesNotListenIsKept() {
        try (var board = new Board(REDIS);
                var pod = new TestPod("a", REDIS.port())) {
            int port;
            try (var absent = new TestApp()) {
                port = absent.port();
            }
            var job = once(port);
            board.offer(job, pod);
            enqueue(pod, "a");
            await().until(() -> delivered(pod, "givenBack") >= 1);

            try (var app = new TestApp(port)) {
                await().until(() -> app.calls().size() == 1);
                await().until(() -> delivered(pod, "acked") == 1);
            }
        }
    }

    /** The process is gone between reservation and removal: its hold ends, and no count of such holds makes the task dead. */
    @Test
    void aTaskThatWasReservedAndNeverRemovedGoesToAnotherPodHoweverOften() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = board.publish(once(app.port()), Duration.ZERO);
            var queue = board.queue(job);
            var dead = InstanceId.create("gone");
            board.instances(job).register(dead, "pod-gone", Duration.ofMinutes(1));
            try (var pod = new TestPod("a", REDIS.port())) {
                board.assign(pod.uid, false, job);
                await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
                enqueue(pod, "a");
                for (int i = 0; i < 3; i++) {
                    await().until(() -> queue.reserve(dead, vanishing()) instanceof Reservation.Reserved reserved
                            && reserved.tasks().size() == 1);
                }
                board.assign(pod.uid, job);

                await().until(() -> app.calls().size() == 1);
                await().until(() -> delivered(pod, "acked") == 1);
                assertThat(queue.dead(0, 10)).isEmpty();
            }
        }
    }

    private static ReserveRequest vanishing() {
        return new ReserveRequest(Nonce.create(), 1, Duration.ofMillis(1), Integer.MAX_VALUE);
    }

    @Test
    void anAnswerToTheRemovalThatIsLostIsAskedForAgainAndTheAppIsCalledOnce() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = offer(board, app, pod);
            for (int round = 0; round < 5; round++) {
                int expected = round + 1;
                enqueue(pod, "t" + round);
                int before = pod.link.droppedReplies();
                pod.link.dropReplies();
                await().until(() -> pod.link.droppedReplies() > before);
                pod.link.heal();
                await().until(() -> board.queue(job).counts(List.of()).inFlight() == 0
                        && board.queue(job)
                                .inspect(TaskId.of("t" + (expected - 1)))
                                .filter(task -> task.state() == TaskState.DONE)
                                .isPresent());
            }
            enqueue(pod, "last");
            await().until(() -> app.calls().stream()
                    .anyMatch(call -> call.header("Soloist-Task").equals("last")));
            assertThat(app.calls().stream().map(call -> call.header("Soloist-Task")))
                    .doesNotHaveDuplicates();
        }
    }

    /** Links that break, answers that are lost, and pods that die and come back: some tasks are lost, none comes twice. */
    @Test
    void noTaskComesTwiceWhilePodsDieAndLinksBreak() {
        long seed = Long.getLong("soloist.seed", System.nanoTime());
        var dice = new Random(seed);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.taking(Duration.ofMillis(5)))) {
            // What a pod had that died comes back while this waits.
            var job = board.publish(once(app.port(), Duration.ofSeconds(5)), Duration.ZERO);
            var pods = List.of("a", "b", "c").stream()
                    .map(uid -> new TestPod(uid, REDIS.port()))
                    .toList();
            try {
                pods.forEach(pod -> board.assign(pod.uid, job));
                await().until(() ->
                        pods.stream().allMatch(pod -> pod.get("/v1/jobs/mail").statusCode() == 200));
                int accepted = 0;
                for (int round = 0; round < 12; round++) {
                    accepted += storm(pods, dice, round);
                }
                pods.forEach(pod -> pod.link.heal());
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    var counts = board.queue(job).counts(board.instances(job).segments());
                    return counts.pending() + counts.ready() + counts.inFlight() == 0;
                });
                var ids = app.calls().stream()
                        .map(call -> call.header("Soloist-Task"))
                        .toList();
                assertThat(ids).as("seed %d", seed).doesNotHaveDuplicates();
                assertThat(ids.size()).as("of %d, seed %d", accepted, seed).isGreaterThan(accepted / 2);
            } finally {
                pods.forEach(TestPod::close);
            }
        }
    }

    /** One round: tasks from a pod that answers, and a fault at another. */
    private static int storm(List<TestPod> pods, Random dice, int round) {
        var victim = pods.get(dice.nextInt(pods.size()));
        var array = IntStream.range(0, 20)
                .mapToObj(i -> "{\"id\":\"r" + round + "-" + i + "\",\"delay\":\"0\"}")
                .collect(Collectors.joining(",", "[", "]"));
        int accepted = (int) pods.stream()
                .map(pod -> pod.post("/v1/jobs/mail/tasks", array, "Idempotency-Key", "round-" + round))
                .filter(answer -> answer.statusCode() == 202)
                .limit(1)
                .count();
        switch (dice.nextInt(3)) {
            case 0 -> victim.link.dropReplies();
            case 1 -> victim.link.cut();
            default -> {
                victim.kill();
                victim.restart();
            }
        }
        victim.link.heal();
        return accepted * 20;
    }

    private static JobDefinition offer(Board board, TestApp app, TestPod pod) {
        var job = once(app.port());
        board.offer(job, pod);
        return job;
    }

    private static JobDefinition once(int port) {
        return once(port, Duration.ofSeconds(12));
    }

    private static JobDefinition once(int port, Duration visibility) {
        return Jobs.delayed("mail", port, work -> {
            var single = new DelayedWork(visibility, 1, work.backoff(), work.concurrency(), work.onDuplicate());
            return single.with(Delivery.AT_MOST_ONCE);
        });
    }

    private static void enqueue(TestPod pod, String id) {
        var body = "{\"id\":\"" + id + "\",\"delay\":\"0\"}";
        await().until(() ->
                pod.post("/v1/jobs/mail/tasks", body, "Idempotency-Key", id).statusCode() == 202);
    }

    private static double delivered(TestPod pod, String result) {
        return pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"" + result + "\"}");
    }
}
