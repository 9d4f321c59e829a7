package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.Misfire;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.singleton.TriggerNow;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cooldown of a job as its app sees it: in two pods, with a short schedule, failures and wishes. */
class CooldownRunsIT {

    private static final Duration COOLDOWN = Duration.ofMillis(800);

    /** The end of a run is noted in Redis after the app has answered, so never before what the app saw. */
    private static final Duration CLOCKS = Duration.ofMillis(20);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    void noRunBeginsWithinItNeitherASlotNorARetryNorAWish(int status) {
        try (var board = new Board(REDIS);
                var app = new TestApp().does(_ -> status);
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var job = Jobs.singleton(
                    "cool-" + status,
                    app.port(),
                    Jobs.policy(Jobs.HELD),
                    new SingletonWork(
                            new Every(Duration.ofMillis(100)),
                            Misfire.RUN_ONCE,
                            new Retry(3, Jobs.backoff()),
                            COOLDOWN));
            board.publish(job, Duration.ZERO);
            board.assign(a.uid, job);
            board.assign(b.uid, job);

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                board.singletons.triggerNow(job.id(), false);
                return app.calls().size() >= 5;
            });

            var calls = app.calls();
            for (int i = 1; i < 5; i++) {
                assertThat(Duration.ofNanos(calls.get(i).startNanos - calls.get(i - 1).endNanos))
                        .isGreaterThan(COOLDOWN.minus(CLOCKS));
            }
            await().until(() -> board.singletons.triggerNow(job.id(), false) instanceof TriggerNow.Refused);
        }
    }
}
