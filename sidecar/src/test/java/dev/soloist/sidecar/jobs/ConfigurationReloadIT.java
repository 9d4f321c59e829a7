package dev.soloist.sidecar.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A changed manifest reaches the pods by a message, and by a look of their own when the message is lost. */
class ConfigurationReloadIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private Board board;

    @BeforeEach
    void open() {
        board = new Board(REDIS);
    }

    @AfterEach
    void close() {
        board.close();
    }

    private static Pace looking(Duration every) {
        var quick = TestPod.QUICK;
        return new Pace(
                every,
                quick.claim(),
                quick.watchdog(),
                quick.queue(),
                quick.instanceLease(),
                quick.adoptAfter(),
                quick.adopt(),
                quick.counts());
    }

    private static boolean isSuspended(TestPod pod) {
        return pod.get("/v1/jobs/mail").body().contains("\"suspended\":true");
    }

    @Test
    void aChangeReachesEveryPodByAMessageLongBeforeItsNextLook() {
        var mail = Jobs.delayed("mail", 1, work -> work);
        try (var a = new TestPod("a", REDIS.port(), looking(Duration.ofHours(1)));
                var b = new TestPod("b", REDIS.port(), looking(Duration.ofHours(1)))) {
            board.publish(mail, Duration.ZERO);
            board.assign("a", mail);
            board.assign("b", mail);
            await().until(() -> a.get("/v1/jobs/mail").statusCode() == 200
                    && b.get("/v1/jobs/mail").statusCode() == 200);

            board.publish(Jobs.suspended(mail, true), Duration.ZERO);

            await().until(() -> isSuspended(a) && isSuspended(b));
        }
    }

    @Test
    void aChangeWhoseMessageIsLostIsFoundByTheNextLook() {
        var mail = Jobs.delayed("mail", 1, work -> work);
        try (var pod = new TestPod("a", REDIS.port(), looking(Duration.ofMillis(500)))) {
            board.offer(mail, pod);
            assertThat(isSuspended(pod)).isFalse();

            board.link.call(
                    "HSET",
                    board.keys.jobs(Jobs.NAMESPACE),
                    "mail",
                    JobDefinitionJson.write(Jobs.suspended(mail, true)));

            await().until(() -> isSuspended(pod));
        }
    }
}
