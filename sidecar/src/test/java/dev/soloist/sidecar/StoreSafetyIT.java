package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.job.Safety;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a sidecar makes of its store with no operator there: nothing here but the board that one has written. */
class StoreSafetyIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Duration TTL = Jobs.HELD;

    /** The store is looked at every few seconds, and more rarely while it is refused. */
    private static final Duration UNTIL_SEEN = Duration.ofSeconds(60);

    @AfterEach
    void theStoreIsAsBefore() {
        try (var link = REDIS.link()) {
            link.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
            link.call("CONFIG", "SET", "maxmemory", "0");
            link.call("ACL", "SETUSER", "default", "+@all");
        }
    }

    @Test
    void f06_aStrictSingletonWaitsOnAStoreThatMayEvictALenientOneRunsAndBothGoOnAfterwards() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            // As in the field: a limit, a policy that takes keys with an expiry first, and others' keys.
            board.link.call("CONFIG", "SET", "maxmemory", "20mb");
            board.link.call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            for (int i = 0; i < 50; i++) {
                board.link.call("SET", "filler:" + i, "x".repeat(10_000), "EX", "600");
            }
            var strict = Jobs.singleton("strict", app.port(), Duration.ofHours(1), Jobs.policy(TTL));
            var lenient = Jobs.singleton(
                    "lenient", app.port(), Duration.ofHours(1), Jobs.policy(TTL).with(Safety.LENIENT));
            board.publish(strict, Duration.ZERO);
            board.publish(lenient, Duration.ZERO);
            try (var pod = new TestPod("a", REDIS.port())) {
                board.assign("a", strict, lenient);

                await().until(() -> app.calls().size() == 1);
                assertThat(app.calls("lenient")).hasSize(1);
                assertThat(pod.metric("soloist_store_safe")).isZero();
                await().during(Duration.ofSeconds(2)).until(() -> app.calls().size() == 1);
                assertThat(board.singletons.snapshot(strict.id()).state()).isNotEqualTo(SingletonState.RUNNING);

                board.link.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
                await().atMost(UNTIL_SEEN).until(() -> app.calls().size() == 2);
                assertThat(app.calls("strict")).hasSize(1);
            }
        }
    }

    @Test
    void f07_aFullStoreRefusesNewTasksWith507AndTasksAndRunsUnderWayComeToTheirEnd() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var mail = Jobs.delayed("mail", app.port(), UnaryOperator.identity());
            board.offer(mail, pod);
            assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":\"old\",\"delay\":\"2s\"}")
                            .statusCode())
                    .isEqualTo(202);
            board.link.call("CONFIG", "SET", "maxmemory", "1");

            var refused = pod.post("/v1/jobs/mail/tasks", "{\"id\":\"new\",\"delay\":\"1h\"}");

            assertThat(refused.statusCode()).isEqualTo(507);
            assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(refused.body()).contains("https://soloist.dev/problems/store-full");
            assertThat(board.link.call("HEXISTS", board.keys.tasks(mail.id()), "new"))
                    .isEqualTo(List.of(0L));
            assertThat(pod.get("/v1/jobs/mail/tasks/new").statusCode()).isEqualTo(404);
            await().until(() -> app.calls().size() == 1);
            await().until(() -> pod.get("/v1/jobs/mail/tasks/old").body().contains("\"done\""));

            board.link.call("CONFIG", "SET", "maxmemory", "0");
            var report = Jobs.singleton("report", app.port(), Duration.ofMillis(200), Jobs.policy(TTL));
            board.publish(report, Duration.ofSeconds(2));
            board.assign("a", mail, report);
            await().until(() -> pod.get("/v1/jobs/report").statusCode() == 200);
            board.link.call("CONFIG", "SET", "maxmemory", "1");
            await().until(() -> board.singletons.history(report.id()).size() >= 3);
            assertThat(board.singletons.history(report.id()))
                    .allMatch(run -> run.result().name().equals("SUCCEEDED"));
        }
    }

    @Test
    void f10_aUserWhoMayNotRunScriptsHasOneAnswerAndWorkBeginsWhenItMay() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var report = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(TTL));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);
            board.link.call("ACL", "SETUSER", "default", "-eval", "-evalsha");
            try (var pod = new TestPod("a", REDIS.port())) {
                await().until(() -> pod.metric("soloist_store_up") == 1);
                await().until(() -> pod.metric("soloist_store_mode{mode=\"Refused\"}") == 1);
                assertThat(pod.loopErrors()).isZero();

                board.link.call("ACL", "SETUSER", "default", "+eval", "+evalsha");
                await().atMost(UNTIL_SEEN).until(() -> app.calls().size() == 1);
                assertThat(pod.metric("soloist_store_mode{mode=\"Scripted\"}")).isEqualTo(1);
            }
        }
    }

    @Test
    void aStoreWhoseDataWereMadeInAnotherModeIsNotTouched() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var report = Jobs.singleton("report", app.port(), Duration.ofMillis(200), Jobs.policy(TTL));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);
            await().until(() -> !app.calls().isEmpty());

            pod.store(StoreFile.MODE, "Cas");
            await().atMost(UNTIL_SEEN).until(() -> pod.metric("soloist_store_mode{mode=\"Refused\"}") == 1);
            await().until(() -> board.singletons.snapshot(report.id()).current() == null);
            // A claim that was under way when the mode was judged may still begin one run.
            var calls = new AtomicInteger();
            await().atMost(UNTIL_SEEN)
                    .during(Duration.ofSeconds(2))
                    .until(() ->
                            calls.getAndSet(app.calls().size()) == app.calls().size());

            pod.store(StoreFile.MODE, "Scripted");
            await().atMost(UNTIL_SEEN).until(() -> app.calls().size() > calls.get());
        }
    }
}
