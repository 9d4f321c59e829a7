package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StarvedSidecarIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void l03_aSidecarThatGetsAFewPercentOfACpuStopsItsRunsBeforeOthersStartThem() throws IOException {
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.taking(Duration.ofSeconds(4)));
                var starved = new ChildSidecar("starved", REDIS.address(), 5);
                var other = new TestPod("other", REDIS.port())) {
            var jobs = IntStream.range(0, 20)
                    .mapToObj(i -> Jobs.singleton(
                            "report-" + i, app.port(), Duration.ofSeconds(1), Jobs.policy(Duration.ofSeconds(6))))
                    .toArray(JobDefinition[]::new);
            for (var job : jobs) {
                board.publish(job, Duration.ZERO);
            }
            board.assign("starved", jobs);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> IntStream.range(0, 20)
                            .allMatch(i -> !app.calls("report-" + i).isEmpty()));
            board.assign("other", jobs);

            var throttle = throttle(starved.process().pid());
            try {
                var before = app.calls().size();
                // Each job has gone on, whoever ran it.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> app.calls().size() >= before + 60
                                && IntStream.range(0, 20)
                                        .allMatch(i -> app.calls("report-" + i).size() >= 3));
            } finally {
                throttle.destroy();
            }

            for (int i = 0; i < 20; i++) {
                assertThat(app.mostAtOnce("report-" + i)).as("report-%d", i).isEqualTo(1);
                assertThat(app.calls("report-" + i).stream().map(call -> call.header("Soloist-Fence")))
                        .isSorted()
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** As a limit of CPU time does: runs for a few milliseconds of every fifth of a second. Ends with the process. */
    private static Process throttle(long pid) throws IOException {
        var loop =
                "trap 'kill -CONT %1$d; exit' TERM; while kill -CONT %1$d; do sleep 0.02; kill -STOP %1$d; sleep 0.18; done";
        return new ProcessBuilder("sh", "-c", loop.formatted(pid)).start();
    }
}
