package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Moving;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs of jobs whose leases are among those of their namespace. */
class HashBackendIT {

    private static final Duration TTL = Duration.ofSeconds(6);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void itsRunIsListedHeldBeyondItsTtlAndItsNextRunFollows() throws Exception {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("a", REDIS.port());
                var other = new TestPod("b", REDIS.port())) {
            var report = hash(app, Duration.ofMillis(500));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);
            board.assign("b", report);
            await().until(() -> app.calls().size() == 1);

            assertThat(other.get("/v1/leases").body()).contains("\"name\":\"report\",\"kind\":\"job\"");
            assertThat(pod.get("/v1/jobs/report").body()).contains("\"state\":\"running\"");
            await().during(TTL.multipliedBy(2))
                    .atMost(TTL.multipliedBy(10))
                    .until(() -> app.calls().size() == 1);
            gate.countDown();

            await().until(() -> app.calls().size() >= 3);
            assertThat(app.mostAtOnce("report")).isEqualTo(1);
            assertThat(app.cancels()).isEmpty();
        }
    }

    @Test
    void aHolderThatIsGoneIsFollowedAfterLeaseAndGrace() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var dying = new TestPod("a", REDIS.port())) {
            var report = hash(app, Duration.ofMillis(500));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);
            await().until(() -> app.calls().size() == 1);
            dying.kill();
            try (var other = new TestPod("b", REDIS.port())) {
                board.assign("b", report);

                await().until(() -> app.calls().size() == 2);
                assertThat(app.calls().get(1).header("Soloist-Fence"))
                        .isGreaterThan(app.calls().getFirst().header("Soloist-Fence"));
                assertThat(other.get("/v1/leases").statusCode()).isEqualTo(200);
            } finally {
                gate.countDown();
            }
        }
    }

    @Test
    void aSidecarFollowsItsJobToAnotherBackEndAndBack() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var report = Jobs.singleton("report", app.port(), Duration.ofMillis(300), Jobs.policy(TTL));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);
            await().until(() -> app.calls().size() >= 2);

            move(board, report, hash(app, Duration.ofMillis(300)));
            int before = app.calls().size();
            await().until(() -> app.calls().size() >= before + 2);

            assertThat(app.mostAtOnce("report")).isEqualTo(1);
            assertThat(pod.get("/v1/jobs/report").statusCode()).isEqualTo(200);
            assertThat(place(board.link, board, Backend.STRING)
                            .snapshot(report.id())
                            .state())
                    .isEqualTo(SingletonState.DELETED);
        }
    }

    @Test
    void f08_onAClusterItsRunsAreOnTheServerOfTheirNamespace() {
        try (var group = new ClusterGroup(0).start();
                var board = new Board(group.link());
                var app = new TestApp();
                var _ = new TestPod("a", Map.of(StoreFile.TOPOLOGY, "Cluster", StoreFile.ADDRESS, group.address()))) {
            var report = hash(app, Duration.ofMillis(300));
            board.publish(report, Duration.ZERO);
            board.assign("a", report);

            await().until(() -> app.calls().size() >= 3);
            assertThat(app.mostAtOnce("report")).isEqualTo(1);
        }
    }

    /** As an operator does: away from the old place, into the new one under a higher term, then the definition. */
    private static void move(Board board, JobDefinition from, JobDefinition to) {
        var former = place(board.link, board, from.policy().backend());
        await().until(() -> former.moveAway(from.id(), from.uid()) instanceof Moving.Away);
        board.publish(to.withTerm(2), Duration.ZERO);
    }

    private static SingletonStore place(RedisLink link, Board board, Backend backend) {
        return new SingletonStore(new ScriptRunner(link), board.keys, backend);
    }

    private static JobDefinition hash(TestApp app, Duration every) {
        return Jobs.singleton("report", app.port(), every, Jobs.policy(TTL).with(Backend.HASH));
    }
}
