package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rate limit over several pods, as the app and the store see it. */
class RateLimitedTasksIT {

    private static final String CLOSED = "soloist_reservations_total{djob=\"mail\",result=\"closed\"}";
    private static final String EMPTY = "soloist_reservations_total{djob=\"mail\",result=\"empty\"}";
    private static final String SOME = "soloist_reservations_total{djob=\"mail\",result=\"tasks\"}";

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void podsTogetherKeepTheLimitAndSleepUntilTheWindowOpens() {
        var limit = new RateLimit(10, Duration.ofSeconds(3));
        int tasks = 35;
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = board.publish(Jobs.delayed("mail", app.port(), work -> work.with(limit)), Duration.ZERO);
            List<TestPod> pods = IntStream.range(0, 3)
                    .mapToObj(i -> new TestPod("pod-" + i, REDIS.port()))
                    .toList();
            var stoodStill = OwnTime.stoodStill();
            try {
                pods.forEach(pod -> board.assign(pod.uid, job));
                pods.forEach(pod -> await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200));
                var body = Stream.generate(() -> "{\"delay\":\"0\"}")
                        .limit(tasks)
                        .toList()
                        .toString();
                assertThat(pods.getFirst().post("/v1/jobs/mail/tasks", body).statusCode())
                        .isEqualTo(202);
                await().until(() -> app.calls().size() == 10);
                double before = reservations(pods);
                // Each of them wakes all consumers; none of them has a reason to ask.
                for (int i = 0; i < 20; i++) {
                    pods.getFirst().post("/v1/jobs/mail/tasks", "{\"delay\":\"0\"}");
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> app.calls().size() == tasks + 20);

                var starts = new ArrayList<Long>();
                app.calls().forEach(call -> starts.add(call.startNanos));
                starts.sort(null);
                // What the app sees comes later than the store gave it, by what its delivery took and the pods stood
                // still.
                var late = OwnTime.stoodStill().minus(stoodStill).plusSeconds(1);
                for (int i = limit.max(); i < starts.size(); i++) {
                    assertThat(starts.get(i) - starts.get(i - limit.max()))
                            .as("start %d", i)
                            .isGreaterThan(limit.per().minus(late).toNanos());
                }
                // Five windows open; each pod asks a few times at each, and not while they are closed.
                assertThat(reservations(pods) - before).isLessThan(5 * 3 * 8);
                assertThat(app.calls())
                        .allMatch(call -> call.header("Soloist-Attempt").equals("1"));
            } finally {
                pods.forEach(TestPod::close);
            }
        }
    }

    @Test
    void aHigherLimitCountsAtOnce() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var slow = Jobs.delayed("mail", app.port(), work -> work.with(new RateLimit(2, Duration.ofHours(1))));
            board.publish(slow, Duration.ZERO);
            board.assign("a", slow);
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
            var body =
                    Stream.generate(() -> "{\"delay\":\"0\"}").limit(5).toList().toString();
            pod.post("/v1/jobs/mail/tasks", body);
            await().until(() ->
                    pod.metric(CLOSED) + pod.metric(SOME) >= 1 && app.calls().size() == 2);

            board.publish(
                    Jobs.delayed("mail", app.port(), work -> work.with(new RateLimit(5, Duration.ofHours(1)))),
                    Duration.ZERO);

            await().until(() -> app.calls().size() == 5);
        }
    }

    /** By either delivery: what was refused a connection never began. Without that the window would be closed for an hour. */
    @ParameterizedTest
    @EnumSource(Delivery.class)
    void anAppThatRefusesConnectionsUsesNothingUp(Delivery delivery) {
        try (var board = new Board(REDIS);
                var pod = new TestPod("a", REDIS.port())) {
            int port;
            try (var absent = new TestApp()) {
                port = absent.port();
            }
            var limit = new RateLimit(1, Duration.ofHours(1));
            board.offer(Jobs.delayed("mail", port, work -> work.with(limit).with(delivery)), pod);
            pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"0\"}");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"givenBack\"}") >= 3);

            try (var app = new TestApp(port)) {
                await().atMost(Duration.ofSeconds(60)).until(() -> app.calls().size() == 1);
                assertThat(app.calls().getFirst().header("Soloist-Attempt")).isEqualTo("1");
            }
        }
    }

    private static double reservations(List<TestPod> pods) {
        return pods.stream()
                .mapToDouble(pod -> pod.metric(CLOSED) + pod.metric(EMPTY) + pod.metric(SOME))
                .sum();
    }
}
