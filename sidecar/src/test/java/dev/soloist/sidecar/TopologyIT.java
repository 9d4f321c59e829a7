package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.coordination.testkit.TlsFiles;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real sidecar process, told by its files what kind of store there is, runs both kinds of jobs through a failover. */
@Timeout(240)
class TopologyIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void f01_onSentinelsBothKindsOfJobsGoOnAfterTheirPrimaryIsKilled() {
        try (var group = new SentinelGroup(1).start();
                var board = new Board(group.link());
                var app = new TestApp();
                var sidecar = new ChildSidecar(
                        "a",
                        Map.of(
                                StoreFile.ADDRESS,
                                group.address(),
                                StoreFile.TOPOLOGY,
                                "Sentinel",
                                StoreFile.SENTINEL_NAME,
                                SentinelGroup.NAME))) {
            var report = report(app);
            var mail = mail(app);
            offer(board, sidecar, report, mail);
            assertThat(enqueue(sidecar, "before", "1s")).isEqualTo(202);
            await().atMost(PATIENCE).until(() -> app.calls("report").size() >= 3 && delivered(app, "before"));
            // What was written last must have reached the replica: what is shown here is not what a failover may lose.
            board.link.call("WAIT", "1", "5000");

            group.killPrimary();
            int before = app.calls("report").size();

            await().atMost(PATIENCE).until(() -> enqueue(sidecar, "after", "500ms") == 202);
            await().atMost(PATIENCE).until(() -> app.calls("report").size() >= before + 3 && delivered(app, "after"));
            assertThat(fences(app)).doesNotHaveDuplicates();
        }
    }

    @Test
    void f08_onAClusterBothKindsOfJobsGoOnAfterAPrimaryIsKilled() {
        try (var group = new ClusterGroup(1).start();
                var board = new Board(group.link());
                var app = new TestApp();
                var sidecar = new ChildSidecar(
                        "a", Map.of(StoreFile.ADDRESS, group.address(), StoreFile.TOPOLOGY, "Cluster"))) {
            var report = report(app);
            var mail = mail(app);
            offer(board, sidecar, report, mail);
            assertThat(enqueue(sidecar, "before", "1s")).isEqualTo(202);
            await().atMost(PATIENCE).until(() -> app.calls("report").size() >= 3 && delivered(app, "before"));

            RedisProcess dying = group.ownerOf(board.keys.record(report.id()));
            group.killPrimary(dying);
            int before = app.calls("report").size();

            await().atMost(PATIENCE).until(() -> enqueue(sidecar, "after", "500ms") == 202);
            await().atMost(PATIENCE).until(() -> app.calls("report").size() >= before + 3 && delivered(app, "after"));
            assertThat(fences(app)).doesNotHaveDuplicates();
        }
    }

    @Test
    void f12_overTlsWithACertificateOfItsOwnAndAPasswordJobsRun() {
        try (var files = TlsFiles.mutual();
                var redis = new RedisProcess()
                        .encrypted(files)
                        .protectedBy("secret")
                        .start();
                var board = new Board(redis);
                var app = new TestApp()) {
            var own = files.client(Duration.ofHours(1));
            var store = Map.of(
                    StoreFile.ADDRESS, redis.address(),
                    StoreFile.PASSWORD, "secret",
                    StoreFile.TLS, "true",
                    StoreFile.CA, files.ca(),
                    StoreFile.CERTIFICATE, own.certificate(),
                    StoreFile.KEY, own.key());
            try (var sidecar = new ChildSidecar("a", store)) {
                var report = report(app);
                var mail = mail(app);
                offer(board, sidecar, report, mail);

                assertThat(enqueue(sidecar, "secret", "500ms")).isEqualTo(202);

                await().atMost(PATIENCE).until(() -> app.calls("report").size() >= 2 && delivered(app, "secret"));
            }
        }
    }

    private static JobDefinition report(TestApp app) {
        return Jobs.singleton("report", app.port(), Duration.ofMillis(300), Jobs.policy(Duration.ofSeconds(6)));
    }

    private static JobDefinition mail(TestApp app) {
        return Jobs.delayed("mail", app.port(), work -> work);
    }

    private static void offer(Board board, ChildSidecar sidecar, JobDefinition... jobs) {
        for (var job : jobs) {
            board.publish(job, Duration.ZERO);
        }
        board.assign(sidecar.uid, jobs);
        await().atMost(PATIENCE).until(() -> sidecar.status("GET", "/v1/jobs/mail", "") == 200);
    }

    private static int enqueue(ChildSidecar sidecar, String id, String delay) {
        return sidecar.status("POST", "/v1/jobs/mail/tasks", "{\"id\":\"%s\",\"delay\":\"%s\"}".formatted(id, delay));
    }

    private static boolean delivered(TestApp app, String task) {
        return app.calls("mail").stream().anyMatch(call -> task.equals(call.header("Soloist-Task")));
    }

    /** One for each run; a repeated trigger of the same run has the same. */
    private static List<String> fences(TestApp app) {
        var runs = new HashSet<String>();
        return app.calls("report").stream()
                .filter(call -> runs.add(call.header("Soloist-Run")))
                .map(call -> call.header("Soloist-Fence"))
                .toList();
    }
}
