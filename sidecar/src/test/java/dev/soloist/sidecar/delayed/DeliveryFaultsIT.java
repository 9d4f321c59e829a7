package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What happens to tasks when pods, connections or Redis fail. */
class DeliveryFaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void d01_tasksOfAPodThatIsGoneAreDeliveredByTheNextPodWithoutAnyProducer() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(12));
            var first = takesPart(board, new TestPod("a", REDIS.port()), job);
            enqueue(first, 10, "8s");
            first.sidecar().stop(Duration.ofSeconds(4));
            first.close();
            assertThat(app.calls()).isEmpty();

            try (var second = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                await().until(() -> tasksOf(app).size() == 10);
                assertThat(app.calls()).hasSize(10);
                await().until(() -> second.metric("soloist_adopted_segments_total{djob=\"mail\"}") == 1);
            }
        }
    }

    @Test
    void d02_tasksArriveInTimeWhileTheWakeChannelIsKilledAgainAndAgain() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(12));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                var before = OwnTime.stoodStill();
                for (int round = 0; round < 5; round++) {
                    int soFar = round * 5;
                    enqueue(pod, soFar, soFar + 5, "300ms");
                    board.link.call("CLIENT", "KILL", "TYPE", "pubsub");
                    await().until(() -> tasksOf(app).size() >= soFar + 5);
                    await().until(() -> pod.metric("soloist_store_up") == 1);
                }
                // One that only the next look finds is late by half a second; what this machine stood still is not
                // counted.
                double late = pod.metric("soloist_task_lateness_seconds_sum");
                double still = OwnTime.stoodStill().minus(before).toMillis() / 1000.0;
                assertThat((late - 25 * still) / 25).isLessThan(3);
            }
        }
    }

    @Test
    void d05_aBusyRedisDoesNotEndTheLoops() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(10));
            board.link.call("CONFIG", "SET", "busy-reply-threshold", "100");
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var other = REDIS.link()) {
                // Until one of its loops has been told so at least once.
                for (int round = 0; round < 3 || pod.metric("soloist_loop_errors_total") < 1; round++) {
                    int soFar = round;
                    assertThat(round).isLessThan(20);
                    enqueue(pod, soFar, soFar + 1, "200ms");
                    busy(other);
                    await().until(() -> tasksOf(app).size() >= soFar + 1);
                }
            }
        } finally {
            REDIS.kill();
            REDIS.start();
        }
    }

    /** A read-only loop of about a second; the server answers BUSY to everybody else meanwhile. */
    private static void busy(RedisLink link) {
        var loop = "local t = redis.call('TIME') local e = t[1] * 1000 + t[2] / 1000 + 1000 "
                + "for i = 1, 2000000000 do if i % 1000 == 0 then local n = redis.call('TIME') "
                + "if n[1] * 1000 + n[2] / 1000 > e then break end end end return 1";
        link.call("EVAL", loop, "0");
    }

    @Test
    void d06_aDelayLongerThanTheVisibilityIsDeliveredOnce() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(6));
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                enqueue(a, 30, "8s");

                await().until(() -> tasksOf(app).size() == 30);
                await().until(() -> board.queue(job).counts(List.of()).inFlight() == 0);
                assertThat(app.calls()).hasSize(30);
                assertThat(app.calls())
                        .allMatch(call -> call.header("Soloist-Attempt").equals("1"));
                await().until(() -> b.metric("soloist_store_up") == 1);
            }
        }
    }

    @Test
    void aDeliveryLongerThanTheVisibilityIsExtended() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            app.does(TestApp.taking(Duration.ofSeconds(13)));
            var job = publish(board, app, Duration.ofSeconds(6));
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                enqueue(a, 1, "0");

                await().until(() -> a.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}")
                                + b.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}")
                        == 1);
                assertThat(app.calls()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "REPLACE")
    void d07_askingAgainAndAgainNeitherPostponesForEverNorVanishes(OnDuplicate policy) {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = Jobs.delayed("mail", app.port(), work -> Jobs.withOnDuplicate(work, policy));
            board.publish(job, Duration.ZERO);
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                if (policy == OnDuplicate.KEEP_LATEST) {
                    comesOnceAfterTheLastWish(pod, app);
                } else {
                    comesAgainAndAgain(pod, app);
                }
                await().until(() -> pod.get("/v1/jobs/mail/tasks/same").body().contains("\"done\""));
            }
        }
    }

    private static void comesOnceAfterTheLastWish(TestPod pod, TestApp app) {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            last = System.nanoTime();
            wish(pod, Duration.ofSeconds(6));
        }
        await().until(() -> app.calls().size() == 1);
        assertThat(Duration.ofNanos(app.calls().getFirst().startNanos - last)).isGreaterThan(Duration.ofMillis(5950));
    }

    private static void comesAgainAndAgain(TestPod pod, TestApp app) {
        long begun = System.nanoTime();
        // Who is asked without a pause hands the task over all the same.
        await().pollInterval(Duration.ofMillis(90)).until(() -> {
            wish(pod, Duration.ofSeconds(1));
            return app.calls().size() >= 3;
        });
        for (int i = 0; i < 3; i++) {
            assertThat(Duration.ofNanos(app.calls().get(i).startNanos - begun))
                    .isGreaterThan(Duration.ofSeconds(i + 1).minusMillis(50));
        }
    }

    private static void wish(TestPod pod, Duration delay) {
        var answer = pod.post("/v1/jobs/mail/tasks", "{\"id\":\"same\",\"delay\":\"" + delay.toSeconds() + "s\"}");
        assertThat(answer.statusCode()).isIn(202, 409);
    }

    @Test
    void s01_tasksOfAKilledPodAreDeliveredAgainAndNoneIsLost() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var stuck = new TestApp().does(TestApp.until(gate)).answersCancelWith(404)) {
            var job = publish(board, stuck, Duration.ofSeconds(6));
            var a = takesPart(board, deadly("a"), job);
            enqueue(a, 10, "0");
            enqueue(a, 10, 60, "2s");
            await().until(() -> stuck.calls().size() >= 10);

            a.kill();
            gate.countDown();

            try (var b = takesPart(board, deadly("b"), job)) {
                await().atMost(PATIENCE).until(() -> tasksOf(stuck).size() == 60);
                await().atMost(PATIENCE)
                        .until(() -> b.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == 60);
                assertThat(board.queue(job).counts(List.of()).inFlight()).isZero();
            }
        }
    }

    @Test
    void r04_aPodThatWasCutOffAndFencedComesBackUnderANewNameAndNothingIsLost() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp()
                        .does(call -> call.header("Soloist-Task").compareTo("t005") < 0
                                        && call.header("Soloist-Attempt").equals("1")
                                ? TestApp.until(gate).answer(call)
                                : 200)) {
            var job = publish(board, app, Duration.ofSeconds(3));
            try (var a = takesPart(board, deadly("a"), job);
                    var b = takesPart(board, deadly("b"), job)) {
                enqueueNumbered(a, 0, 5, "0");
                enqueueNumbered(a, 5, 105, "3s");
                await().until(() -> tasksOf(app).size() >= 5);
                a.link.hang();
                b.link.heal();

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() >= 100);
                await().atMost(PATIENCE).until(() -> b.metric("soloist_adopted_segments_total{djob=\"mail\"}") >= 1);
                a.link.heal();
                gate.countDown();

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 105);
                await().atMost(PATIENCE).until(() -> a.metric("soloist_fenced_total{djob=\"mail\"}") >= 1);
                await().until(() -> {
                    var counts = board.queue(job).counts(List.of());
                    return counts.inFlight() == 0 && counts.dead() == 0 && counts.ready() == 0;
                });
                assertThat(a.post("/v1/jobs/mail/tasks", "{\"id\":\"new\",\"delay\":\"1h\"}")
                                .statusCode())
                        .isEqualTo(202);
            }
        }
    }

    @Test
    void tasksOnTheirWayFromRedisWhenTheSidecarIsToldToEndAreNotLeftInFlight() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofMinutes(1));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                var tries = new AtomicInteger();
                // On a machine that stands still at the wrong moment it arrives before this is seen.
                await().atMost(PATIENCE).until(() -> isOnItsWay(board, job, pod, app, tries.getAndIncrement()));

                pod.sidecar().stop(Duration.ofSeconds(20));

                assertThat(board.queue(job).counts(List.of()).inFlight()).isZero();
            }
        }
    }

    private static boolean isOnItsWay(Board board, JobDefinition job, TestPod pod, TestApp app, int number) {
        int before = app.calls().size();
        enqueue(pod, number, number + 1, "1500ms");
        pod.link.delay(Duration.ofMillis(700));
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> board.queue(job).counts(List.of()).inFlight() == 1
                        || app.calls().size() > before);
        if (app.calls().size() == before) {
            return true;
        }
        pod.link.heal();
        await().until(() -> board.queue(job).counts(List.of()).inFlight() == 0);
        return false;
    }

    @Test
    void aVisibilityThatIsMadeShorterDuringADeliveryMakesNoSecondOne() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            app.does(TestApp.taking(Duration.ofSeconds(12)));
            var job = publish(board, app, Duration.ofSeconds(8));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                enqueue(pod, 1, "0");
                await().until(() -> app.calls().size() == 1);

                publish(board, app, Duration.ofMillis(400));

                await().until(() -> pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == 1);
                assertThat(app.calls()).hasSize(1);
            }
        }
    }

    @Test
    void aWorkerOnItsWayOutDoesNotRegisterAgainInTheQueueOfADeletedJob() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate))) {
            var job = publish(board, app, Duration.ofMinutes(1));
            // Its heartbeat comes several times in the time for which is looked.
            try (var pod = takesPart(board, deadly("a"), job)) {
                enqueue(pod, 1, "0");
                await().until(() -> app.calls().size() == 1);

                board.withdraw(job.id());
                await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 404);
                board.link.call("DEL", board.keys.instanceMembers(job.id()), board.keys.instanceLeases(job.id()));

                await().during(Duration.ofSeconds(3))
                        .atMost(PATIENCE)
                        .until(() -> board.instances(job).list().isEmpty());
                gate.countDown();
            }
        }
    }

    @Test
    void f04_anArrayIsAnsweredSoonWhileRedisIsFrozen() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(12));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                var body = Stream.generate(() -> "{\"delay\":\"1h\"}")
                        .limit(20)
                        .toList()
                        .toString();
                REDIS.pause(true);
                try {
                    long begun = OwnTime.nanos();
                    var answer = pod.post("/v1/jobs/mail/tasks", body);

                    assertThat(answer.statusCode()).isEqualTo(207);
                    assertThat(answer.body().split("store-unavailable", -1)).hasSize(21);
                    assertThat(OwnTime.since(begun)).isLessThan(Duration.ofSeconds(20));
                } finally {
                    REDIS.pause(false);
                }
            }
        }
    }

    @Test
    void f04_aFrozenRedisLosesNoTask() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(1));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                enqueue(pod, 50, "1s");
                REDIS.pause(true);
                await().until(() -> pod.metric("soloist_store_errors_total") >= 3);
                REDIS.pause(false);

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 50);
                await().atMost(PATIENCE)
                        .until(() -> board.queue(job).counts(List.of()).inFlight() == 0);
            }
        }
    }

    @Test
    void anEnqueueWhoseAnswerWasLostIsStoredOnce() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(2));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                int accepted = 0;
                int unknown = 0;
                while (accepted < 5) {
                    int before = pod.link.droppedReplies();
                    pod.link.dropReplies();
                    var healing = Thread.ofVirtual().start(() -> {
                        await().until(() -> pod.link.droppedReplies() > before);
                        pod.link.heal();
                    });
                    var answer = pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1h\"}");
                    await().until(() -> !healing.isAlive());
                    await().until(() -> pod.metric("soloist_store_up") == 1);
                    assertThat(answer.statusCode()).isIn(202, 503);
                    if (answer.statusCode() == 202) {
                        accepted++;
                    } else {
                        // As a rule the connection was gone before the task was sent at all.
                        assertThat(++unknown).isLessThan(50);
                    }
                }
                assertThat(board.queue(job)
                                .counts(board.instances(job).list().stream()
                                        .flatMap(view -> view.segments().stream())
                                        .toList())
                                .pending())
                        .isBetween(5L, 5L + unknown);
            }
        }
    }

    @Test
    void aSidecarThatStartsAgainInItsPodTakesOverFromItsPredecessorAtOnce() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(12));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                enqueue(pod, 5, "1s");
                pod.kill();
                var token = pod.sidecar().authorization();

                pod.restart();

                assertThat(pod.sidecar().authorization()).isEqualTo(token);
                await().until(() -> tasksOf(app).size() == 5);
                await().until(() -> board.instances(job).list().size() == 1);
            }
        }
    }

    @Test
    void theAnswersOfTheAppDecideWhatBecomesOfATask() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, Duration.ofSeconds(12));
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                app.does(call -> switch (call.header("Soloist-Task")) {
                    case "busy" ->
                        app.calls().stream()
                                                .filter(c ->
                                                        c.header("Soloist-Task").equals("busy"))
                                                .count()
                                        < 3
                                ? 503
                                : 200;
                    case "never" -> 400;
                    default -> 500;
                });
                app.withHeader("Soloist-No-Retry", "true").withHeader("Retry-After", "0");
                for (var id : List.of("busy", "never", "fails")) {
                    pod.post("/v1/jobs/mail/tasks", "{\"id\":\"" + id + "\",\"delay\":\"0\"}");
                }
                var queue = board.queue(job);
                await().until(() -> state(queue, "busy") == TaskState.DONE
                        && state(queue, "never") == TaskState.DEAD
                        && state(queue, "fails") == TaskState.DEAD);
                assertThat(app.calls().stream()
                                .filter(c -> c.header("Soloist-Task").equals("busy")))
                        .allMatch(c -> c.header("Soloist-Attempt").equals("1"));
                assertThat(app.calls().stream()
                                .filter(c -> c.header("Soloist-Task").equals("never")))
                        .hasSize(1);
                assertThat(app.calls().stream()
                                .filter(c -> c.header("Soloist-Task").equals("fails")))
                        .hasSize(5);
                assertThat(pod.get("/v1/jobs/mail/tasks/fails").body()).contains("\"lastError\":\"HTTP 500\"");
            }
        }
    }

    private static TaskState state(DelayedQueue queue, String id) {
        return queue.inspect(TaskId.of(id)).orElseThrow().state();
    }

    private static JobDefinition publish(Board board, TestApp app, Duration visibility) {
        return board.publish(
                Jobs.delayed("mail", app.port(), work -> Jobs.withVisibility(work, visibility)), Duration.ZERO);
    }

    private static TestPod deadly(String uid) {
        return new TestPod(uid, REDIS.port(), TestPod.DEADLY);
    }

    private static TestPod takesPart(Board board, TestPod pod, JobDefinition job) {
        board.assign(pod.uid, job);
        await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        return pod;
    }

    private static void enqueue(TestPod pod, int count, String delay) {
        enqueue(pod, 0, count, delay);
    }

    private static void enqueue(TestPod pod, int from, int to, String delay) {
        enqueueNumbered(pod, from, to, delay);
    }

    private static void enqueueNumbered(TestPod pod, int from, int to, String delay) {
        var body = IntStream.range(from, to)
                .mapToObj(i -> "{\"id\":\"t%03d\",\"delay\":\"%s\"}".formatted(i, delay))
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(pod.post("/v1/jobs/mail/tasks", body).statusCode()).isEqualTo(202);
    }

    private static Set<String> tasksOf(TestApp app) {
        return app.calls().stream().map(call -> call.header("Soloist-Task")).collect(Collectors.toSet());
    }
}
