package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.soloist.coordination.job.Deduplication;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an app sees of deduplication, through real sidecars. */
class DeduplicatedTasksIT {

    private static final String TASKS = "/v1/jobs/mail/tasks";
    private static final String BY_CACHE = "soloist_duplicates_known_total{by=\"cache\",djob=\"mail\"}";
    private static final String BY_STORE = "soloist_duplicates_known_total{by=\"store\",djob=\"mail\"}";

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static JobDefinition job(Board board, TestApp app, Duration window, ReleaseOn releaseOn) {
        var rule = new Deduplication(window, true, releaseOn);
        return board.publish(Jobs.delayed("mail", app.port(), work -> work.with(rule)), Duration.ZERO);
    }

    private static TestPod pod(Board board, String uid, JobDefinition job) {
        var pod = new TestPod(uid, REDIS.port());
        board.assign(uid, job);
        await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        return pod;
    }

    private static String enqueue(TestPod pod, String members) {
        var answer = pod.post(TASKS, "{\"delay\":\"0\"," + members + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return answer.body();
    }

    private static void handled(TestPod pod, int tasks) {
        await().until(() -> pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == tasks);
    }

    @Test
    void e01_aKeyInTheApiIsTakenUntilItsTaskIsCancelledAndStaysTakenAfterItWasHandled() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = pod(board, "a", job(board, app, Duration.ofHours(1), ReleaseOn.TERMINAL))) {
            var later = pod.post(TASKS, "{\"id\":\"x\",\"delay\":\"1h\",\"dedupKey\":\"order 7\"}");
            assertThat(later.body()).contains("\"created\"");
            assertThat(enqueue(pod, "\"dedupKey\":\"order 7\"")).contains("\"duplicate\"", "\"id\":\"x\"");
            assertThat(pod.send("DELETE", TASKS + "/x", "").statusCode()).isEqualTo(204);

            assertThat(enqueue(pod, "\"id\":\"y\",\"dedupKey\":\"order 7\"")).contains("\"created\"");
            handled(pod, 1);
            for (int i = 0; i < 5; i++) {
                assertThat(enqueue(pod, "\"dedupKey\":\"order 7\"")).contains("\"duplicate\"", "\"id\":\"y\"");
            }
            assertThat(pod.metric(BY_CACHE)).isEqualTo(4);
            assertThat(pod.metric(BY_STORE)).isEqualTo(2);
            assertThat(app.calls()).hasSize(1);
        }
    }

    @Test
    void e02_theApiRefusesToRequeueADeadLetterBesideTheTaskThatHasItsKey() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp()
                        .does(call -> call.header("Soloist-Task").equals("first")
                                ? 400
                                : TestApp.until(gate).answer(call))
                        .withHeader("Soloist-No-Retry", "true");
                var pod = pod(board, "a", job(board, app, Duration.ofHours(1), ReleaseOn.TERMINAL))) {
            enqueue(pod, "\"id\":\"first\",\"dedupKey\":\"k\"");
            await().until(() -> pod.get(TASKS + "/first").body().contains("\"dead\""));
            assertThat(enqueue(pod, "\"id\":\"second\",\"dedupKey\":\"k\"")).contains("\"created\"");

            var refused = pod.post("/v1/jobs/mail/dead/first/requeue", "{}");

            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
            assertThat(refused.body()).contains("/problems/key-taken");
            gate.countDown();
        }
    }

    @Test
    void aKeyWhereTheJobDoesNotDeduplicateIsRefusedAndNotIgnored() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = board.publish(Jobs.delayed("mail", app.port(), work -> work), Duration.ZERO);
            try (var pod = pod(board, "a", job)) {
                var answer = pod.post(TASKS, "{\"delay\":\"0\",\"dedupKey\":\"k\"}");
                assertThat(answer.statusCode()).isEqualTo(400);
                assertThat(answer.body()).contains("spec.delayed.deduplication");
            }
        }
    }

    /** Also where the loss makes no connection break: the pod learns of it by its next heartbeat. */
    @Test
    void aStoreThatWasEmptiedIsNoticedAndNoDuplicateIsToldFromMemory() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = job(board, app, Duration.ofHours(1), ReleaseOn.TERMINAL);
            try (var pod = pod(board, "a", job)) {
                enqueue(pod, "\"id\":\"x\"");
                handled(pod, 1);
                assertThat(enqueue(pod, "\"id\":\"x\"")).contains("\"duplicate\"");
                assertThat(enqueue(pod, "\"id\":\"x\"")).contains("\"duplicate\"");

                board.link.call("FLUSHALL");
                board.publish(job, Duration.ZERO);
                board.assign("a", job);

                await().until(() -> enqueue(pod, "\"id\":\"x\"").contains("\"created\""));
            }
        }
    }

    /** The trade-off: what each pod's memory would let through if it were the judge, and what it saves where Redis is. */
    @Test
    void aCacheAloneLetsThroughWhatRedisDoesNotAndInFrontOfItSavesMostRoundTrips() {
        int pods = 3;
        int keys = 40;
        int copies = 10;
        long seed = 11;
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = job(board, app, Duration.ofHours(1), ReleaseOn.TERMINAL);
            List<TestPod> all = IntStream.range(0, pods)
                    .mapToObj(i -> pod(board, "pod-" + i, job))
                    .toList();
            try {
                var alone = IntStream.range(0, pods)
                        .mapToObj(_ ->
                                Caffeine.newBuilder().<String, Boolean>build().asMap())
                        .toList();
                var dice = new Random(seed);
                var submissions = new ArrayList<String>();
                IntStream.range(0, keys * copies).forEach(i -> submissions.add("k" + i % keys));
                int byCache = 0;
                int byRedis = 0;
                for (int i = 0; i < submissions.size(); i++) {
                    int at = dice.nextInt(pods);
                    byCache += alone.get(at).putIfAbsent(submissions.get(i), true) == null ? 1 : 0;
                    var answer = enqueue(all.get(at), "\"dedupKey\":\"" + submissions.get(i) + "\"");
                    byRedis += answer.contains("\"created\"") ? 1 : 0;
                    if (i + 1 == keys) {
                        await().until(() -> app.calls().size() == keys);
                        await().until(() ->
                                sum(all, "soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == keys);
                    }
                }
                double saved = sum(all, BY_CACHE);
                double asked = sum(all, BY_STORE);
                int duplicates = keys * (copies - 1);
                System.out.printf(
                        "%d pods, %d keys, %d submissions each (seed %d): a cache alone takes %d, Redis %d; of %d duplicates the"
                                + " cache in front answered %.0f, %.0f went to Redis%n",
                        pods, keys, copies, seed, byCache, byRedis, duplicates, saved, asked);

                assertThat(byRedis).isEqualTo(keys);
                assertThat(app.calls()).hasSize(keys);
                assertThat(byCache).isBetween(2 * keys, pods * keys);
                assertThat(saved + asked).isEqualTo(duplicates);
                assertThat(asked).isLessThanOrEqualTo(pods * keys);
                assertThat(saved).isGreaterThan(duplicates / 2.0);
            } finally {
                all.forEach(TestPod::close);
            }
        }
    }

    private static double sum(List<TestPod> pods, String metric) {
        return pods.stream().mapToDouble(pod -> pod.metric(metric)).sum();
    }
}
