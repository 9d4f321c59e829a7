package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BlipIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void d03_aShortCutBetweenTwoSlotsDoesNotMoveTheNextOne() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("one", REDIS.port())) {
            var every = Duration.ofSeconds(8);
            var job = board.publish(Jobs.singleton("report", app.port(), every, Jobs.policy(Jobs.HELD)), Duration.ZERO);
            board.assign("one", job);
            await().until(() -> app.calls().size() == 1);
            await().until(() -> board.singletons.history(job.id()).size() == 1);
            var next = board.singletons.snapshot(job.id()).due();
            // In the middle of the wait; the pod is back two seconds before the slot.
            await().until(() -> board.link.now().isAfter(next.minus(Duration.ofSeconds(5))));
            pod.link.cut();
            await().until(() -> board.link.now().isAfter(next.minus(Duration.ofSeconds(2))));
            pod.link.heal();

            await().until(() -> app.calls().size() >= 2);

            await().until(() -> board.singletons.history(job.id()).size() >= 2);
            var run = board.singletons.history(job.id()).reversed().get(1);
            assertThat(Instant.parse(app.calls().get(1).header("Soloist-Scheduled-At")))
                    .isEqualTo(next);
            assertThat(run.start()).isAfterOrEqualTo(next);
        }
    }
}
