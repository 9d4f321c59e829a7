package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.testkit.DocumentedUser;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sidecars do everything that they do as exactly the user that docs/operations.md shows for the namespace {@code shop}, on the oldest
 * supported version and on that of the other tests; the server has refused them nothing.
 */
class DocumentedRulesIT {

    private static final String USER = "soloist:main:shop";

    private final List<TestPod> pods = new ArrayList<>();

    static Stream<Supplier<RedisProcess>> servers() {
        return Stream.of(RedisProcess::new, RedisProcess::oldest);
    }

    @AfterEach
    void close() {
        pods.forEach(TestPod::close);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void f09_sidecarsAreRefusedNothingUnderExactlyTheDocumentedRules(Supplier<RedisProcess> server) {
        try (var redis = server.get().start();
                var board = new Board(redis);
                var app = new TestApp()) {
            makeUser(board);
            var first = pod("a", redis);
            var second = pod("b", redis);
            await().until(() -> connectionsOfTheUser(board) == 2);

            var report =
                    Jobs.singleton("report", app.port(), Duration.ofMillis(300), Jobs.policy(Duration.ofSeconds(5)));
            var mail = Jobs.delayed("mail", app.port(), work -> Jobs.withVisibility(work, Duration.ofSeconds(5)));
            board.publish(report, Duration.ZERO);
            board.publish(mail, Duration.ZERO);
            board.assign("a", report, mail);
            board.assign("b", report, mail);
            await().until(() -> first.get("/v1/jobs/mail").statusCode() == 200
                    && second.get("/v1/jobs/mail").statusCode() == 200);

            for (var task : List.of("soon\",\"delay\":\"200ms", "later\",\"delay\":\"1h", "never\",\"delay\":\"1h")) {
                var answer = first.post("/v1/jobs/mail/tasks", "{\"id\":\"" + task + "\"}");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
            }
            assertThat(first.send("PATCH", "/v1/jobs/mail/tasks/later", "{\"delay\":\"6s\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(first.send("DELETE", "/v1/jobs/mail/tasks/never", "").statusCode())
                    .isLessThan(300);
            assertThat(first.get("/v1/jobs/mail/tasks/later").statusCode()).isEqualTo(200);
            await().until(() -> app.calls("report").size() >= 3);

            // The other adopts what the dead one has left, and goes on with the singleton.
            first.kill();
            int before = app.calls("report").size();
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            app.calls("mail").stream().anyMatch(call -> "later".equals(call.header("Soloist-Task"))));
            await().until(() -> app.calls("report").size() > before);
            board.singletons.suspend(report.id());
            board.withdraw(mail.id());
            second.sidecar().close();

            assertThat(DocumentedUser.refusals(board.link)).isEmpty();
        }
    }

    private static void makeUser(Board board) {
        var command = new ArrayList<>(List.of("SETUSER", USER));
        command.addAll(DocumentedUser.rules("sidecar", "secret"));
        board.link.call("ACL", command.toArray(String[]::new));
    }

    private TestPod pod(String uid, RedisProcess redis) {
        var pod = new TestPod(uid, redis.port(), TestPod.DEADLY);
        pods.add(pod);
        pod.store(StoreFile.USERNAME, USER);
        pod.store(StoreFile.PASSWORD, "secret");
        return pod;
    }

    private static long connectionsOfTheUser(Board board) {
        return new String((byte[]) board.link.call("CLIENT", "LIST").getFirst())
                .lines()
                .filter(line -> line.contains("user=" + USER))
                .count();
    }
}
