package dev.soloist.sidecar.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** News reaches the app of every pod that listens, once; who does not listen gets nothing, and nobody waits for anybody. */
class BroadcastIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final String PATH = "/v1/jobs/cache/broadcast";

    private Board board;
    private TestApp app;
    private JobDefinition job;

    @BeforeEach
    void open() {
        board = new Board(REDIS);
        app = new TestApp();
        job = Jobs.broadcast("cache", app.port());
        board.publish(job, Duration.ZERO);
    }

    @AfterEach
    void close() {
        app.close();
        board.close();
    }

    private TestPod pod(String uid) {
        var pod = new TestPod(uid, REDIS.port());
        board.assign(uid, job);
        await().until(() -> pod.get("/v1/jobs/cache").statusCode() == 200);
        return pod;
    }

    /** Until so many sidecars listen, as the server sees it. */
    private void awaitListeners(int count) {
        var channel = board.keys.broadcast(job.id());
        await().until(() -> board.link.call("PUBSUB", "NUMSUB", channel).contains((long) count));
    }

    private static double received(TestPod pod, String result) {
        return pod.metric("soloist_broadcasts_received_total{djob=\"cache\",result=\"" + result + "\"");
    }

    private static String said(String text) {
        return "{\"payload\": \"" + text + "\"}";
    }

    @Test
    void everyPodThatListensHearsABroadcastOnceTheSenderIncluded() {
        try (var a = pod("a");
                var b = pod("b");
                var c = pod("c")) {
            awaitListeners(3);

            var answer = a.post(PATH, "{\"payload\": {\"drop\": [1, 2.50]}}");

            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.body())
                    .contains("\"delivery\":\"atMostOnce\"", "\"sentBy\":\"pubSub\"", "\"listeners\":3");
            await().until(() -> received(a, "delivered") + received(b, "delivered") + received(c, "delivered") == 3);
            assertThat(app.calls("cache")).hasSize(3).allSatisfy(call -> {
                assertThat(call.body).isEqualTo("{\"drop\": [1, 2.50]}");
                assertThat(answer.body()).contains("\"id\":\"" + call.header("Soloist-Broadcast") + "\"");
                assertThat(call.header("Content-Type")).isEqualTo("application/json");
                assertThat(call.header("Authorization")).startsWith("Bearer ");
                assertThat(call.header("Soloist-Deadline")).isNotEqualTo("null");
            });
            assertThat(a.metric("soloist_broadcasts_sent_total{djob=\"cache\",outcome=\"sent\""))
                    .isOne();
        }
    }

    @Test
    void anyBytesArriveAsTheyAreWithTheirContentType() {
        try (var a = pod("a")) {
            awaitListeners(1);
            var bytes = new byte[64 * 1024];
            java.util.Arrays.fill(bytes, (byte) 'x');
            var base64 = Base64.getEncoder().encodeToString(bytes);

            assertThat(a.post(PATH, "{\"payloadBase64\":\"" + base64 + "\",\"contentType\":\"image/png\"}")
                            .statusCode())
                    .isEqualTo(202);

            await().until(() -> received(a, "delivered") == 1);
            assertThat(app.calls().getFirst().body).hasSize(64 * 1024);
            assertThat(app.calls().getFirst().header("Content-Type")).isEqualTo("image/png");
        }
    }

    @Test
    void anAppThatSubscribesLateGetsNothingOfWhatWasSentBefore() {
        try (var a = pod("a")) {
            awaitListeners(1);
            assertThat(a.post(PATH, said("early")).statusCode()).isEqualTo(202);
            await().until(() -> received(a, "delivered") == 1);

            try (var late = pod("late")) {
                awaitListeners(2);
                a.post(PATH, said("now"));
                await().until(() -> received(late, "delivered") == 1);
            }

            assertThat(app.calls())
                    .extracting(call -> call.body)
                    .containsExactlyInAnyOrder("\"early\"", "\"now\"", "\"now\"");
        }
    }

    @Test
    void aPodWhoseConnectionIsDownMissesWhatIsSentMeanwhileAndHearsAgainAfterwards() {
        try (var a = pod("a");
                var b = pod("b")) {
            awaitListeners(2);
            b.link.cut();
            awaitListeners(1);
            a.post(PATH, said("missed"));
            b.link.heal();
            awaitListeners(2);
            a.post(PATH, said("heard"));

            await().until(() -> received(b, "delivered") == 1);
            await().until(() -> received(a, "delivered") == 2);
            assertThat(app.calls())
                    .extracting(call -> call.body)
                    .containsExactlyInAnyOrder("\"missed\"", "\"heard\"", "\"heard\"");
        }
    }

    @Test
    void anAppThatFailsOrIsAwayIsNotAskedAgain() {
        app.does(_ -> 500);
        try (var a = pod("a")) {
            awaitListeners(1);
            a.post(PATH, said("refused"));
            await().until(() -> received(a, "failed") == 1);

            app.close();
            a.post(PATH, said("nobody there"));
            await().until(() -> received(a, "failed") == 2);
            assertThat(app.calls()).hasSize(1);
        }
    }

    @Test
    void aSuspendedJobIsHeardByNobodyAndTheSenderIsToldSo() {
        try (var a = pod("a");
                var b = pod("b")) {
            awaitListeners(2);
            board.publish(Jobs.suspended(job, true), Duration.ZERO);
            await().until(() -> a.post(PATH, said("x")).statusCode() == 409);
            await().until(() -> b.post(PATH, said("x")).body().contains("/problems/job-suspended"));
            double skippedByA = received(a, "skipped");
            double skippedByB = received(b, "skipped");

            // A sender that has not heard of the suspension yet.
            board.link.call(
                    "PUBLISH",
                    board.keys.broadcast(job.id()),
                    "{\"id\":\"late\",\"contentType\":\"text/plain\",\"payload\":\"eA==\"}");
            await().until(() -> received(a, "skipped") > skippedByA && received(b, "skipped") > skippedByB);

            board.publish(Jobs.suspended(job, false), Duration.ZERO);
            await().until(() -> a.post(PATH, said("again")).statusCode() == 202);
            await().until(() -> app.calls().stream().anyMatch(call -> call.body.equals("\"again\"")));
            assertThat(app.calls()).extracting(call -> call.body).doesNotContain("x");
        }
    }

    @Test
    void aPodThatIsNotEligibleHearsNothing() {
        try (var a = pod("a");
                var b = pod("b")) {
            awaitListeners(2);
            board.assign("b", false, job);
            await().until(() -> {
                a.post(PATH, said("x"));
                return received(b, "skipped") > 0;
            });
            double skipped = received(b, "skipped");
            a.post(PATH, said("y"));
            a.post(PATH, said("z"));
            await().until(() -> received(b, "skipped") >= skipped + 2);
            await().until(() -> app.calls().stream().anyMatch(call -> call.body.equals("\"z\"")));
            assertThat(app.calls()).extracting(call -> call.body).containsOnlyOnce("\"y\"", "\"z\"");
        }
    }

    @Test
    void aBusyAppLosesWhatDoesNotFitAndHoldsUpNobody() {
        var gate = new CountDownLatch(1);
        app.does(TestApp.until(gate));
        try (var a = pod("a")) {
            awaitListeners(1);
            for (int i = 0; i < Mailbox.MOST + 20; i++) {
                assertThat(a.post(PATH, said("m" + i)).statusCode()).isEqualTo(202);
            }

            await().until(() -> received(a, "dropped") >= 16);
            assertThat(app.calls("cache")).as("at a time").hasSizeLessThanOrEqualTo(4);
            // Other work of the same pod goes on.
            assertThat(a.get("/v1/jobs/cache").statusCode()).isEqualTo(200);
            gate.countDown();
            await().until(() -> received(a, "delivered") == Mailbox.MOST + 20 - received(a, "dropped"));
        }
    }

    @Test
    void aRequestThatIsRepeatedUnderItsKeyIsHandedOverOnce() {
        try (var a = pod("a");
                var b = pod("b")) {
            awaitListeners(2);
            var first = a.post(PATH, said("x"), "Idempotency-Key", "k1");
            var second = b.post(PATH, said("x"), "Idempotency-Key", "k1");

            assertThat(second.body()).isEqualTo(first.body());
            await().until(() -> received(a, "repeated") + received(b, "repeated") == 2);
            await().until(() -> received(a, "delivered") + received(b, "delivered") == 2);
            assertThat(app.calls()).hasSize(2);
        }
    }

    @Test
    void withoutTheStoreNothingIsSentAndTheCallerIsToldThatItMayHaveBeen() {
        try (var a = pod("a")) {
            awaitListeners(1);
            a.link.cut();
            await().until(() -> a.metric("soloist_store_up") == 0);

            var answer = a.post(PATH, said("x"));

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        }
    }

    @Test
    void anAnswerThatIsLostIsNotSentASecondTime() {
        try (var a = pod("a")) {
            awaitListeners(1);
            a.link.dropReplies();
            assertThat(a.post(PATH, said("once")).statusCode()).isEqualTo(503);
            a.link.heal();
            awaitListeners(1);
            // The first ones may be sent before it listens again.
            await().until(() -> {
                a.post(PATH, said("after"));
                return app.calls().stream().anyMatch(call -> call.body.equals("\"after\""));
            });
            assertThat(app.calls().stream().filter(call -> call.body.equals("\"once\"")))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatIsNoBroadcastIsCountedAndLeftAlone() {
        try (var a = pod("a")) {
            awaitListeners(1);
            board.link.call("PUBLISH", board.keys.broadcast(job.id()), "hello");
            board.link.call("PUBLISH", board.keys.broadcast(job.id()), "{\"id\":\"\",\"payload\":\"eA==\"}");
            board.link.call("PUBLISH", board.keys.broadcast(job.id()), "{\"id\":\"a\",\"payload\":\"%%\"}");

            await().until(() -> received(a, "unreadable") == 3);
            assertThat(app.calls()).isEmpty();
        }
    }

    @Test
    void aBroadcastThatIsTooLargeOrMalformedIsRefused() {
        try (var a = pod("a")) {
            assertThat(a.post(PATH, said("x".repeat(64 * 1024))).body()).contains("/problems/payload-too-large");
            assertThat(a.post(PATH, "[]").body()).contains("/problems/invalid-broadcast");
            assertThat(a.post(PATH, "{\"delay\":\"1s\"}").body()).contains("/problems/invalid-broadcast");
            assertThat(a.post("/v1/jobs/cache/tasks", "{\"delay\":\"1s\"}").body())
                    .contains("/problems/not-a-delayed-job");
            assertThat(a.get("/v1/jobs/cache/events").body()).contains("/problems/no-event-log");
        }
    }

    @Test
    void aPodThatEndsDropsWhatWaitsAndIsHeldUpNoLongerThanItsBudget() {
        var gate = new CountDownLatch(1);
        app.does(TestApp.until(gate));
        var a = pod("a");
        try {
            awaitListeners(1);
            for (int i = 0; i < 10; i++) {
                a.post(PATH, said("m" + i));
            }
            await().until(() -> app.calls().size() == 4);
            var stopping = Thread.ofVirtual().start(() -> a.sidecar().stop(Duration.ofSeconds(5)));

            // Its app would hold it up for ever.
            await().until(() -> !stopping.isAlive());
            assertThat(app.calls()).hasSize(4);
        } finally {
            gate.countDown();
            a.close();
        }
    }
}
