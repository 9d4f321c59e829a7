package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PayloadIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link());
        me = q.member();
    }

    @AfterEach
    void close() {
        q.close();
    }

    @Test
    void p03_aPayloadOfTheLimitIsTakenAndOneByteMoreIsRefusedWithNothingWritten() {
        Map<String, String> before = q.dump();

        assertThat(q.queue.enqueue(me, sized("more", 256 * 1024 + 1)))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.TOO_LARGE));
        assertThat(q.dump()).isEqualTo(before);

        assertThat(q.queue.enqueue(me, sized("less", 255 * 1024))).isInstanceOf(Accepted.class);
        assertThat(q.queue.enqueue(me, sized("equal", 256 * 1024))).isInstanceOf(Accepted.class);
        assertThat(q.queue.enqueue(me, sized("none", 0))).isInstanceOf(Accepted.class);

        assertThat(q.reserve(me, 10).tasks())
                .extracting(task -> task.payload().bytes().length)
                .containsExactly(255 * 1024, 256 * 1024, 0);
    }

    @Test
    void p04_binaryIsStoredAsItIsAndNotBlownUp() {
        byte[] random = new byte[200 * 1024];
        new Random(7).nextBytes(random);

        q.accepted(
                me,
                new NewTask(
                        TaskId.of("a"),
                        Payload.of(random, "application/octet-stream"),
                        When.now(),
                        "r",
                        OnDuplicate.REJECT));

        String usage = QueueUnderTest.text(
                q.link.call("MEMORY", "USAGE", KEYS.tasks(JOB)).getFirst());
        assertThat(Long.parseLong(usage)).isLessThan((long) (1.2 * random.length));
        assertThat(q.reserve(me, 1).tasks().getFirst().payload().bytes()).isEqualTo(random);
    }

    @Test
    void aContentTypeOfAnyTextComesBackAsItWas() {
        var payload = Payload.of(new byte[] {1, '|', 2}, "text/x-odd; p=\"a|b\"; q=\u00e9");

        q.accepted(me, new NewTask(TaskId.of("a"), payload, When.now(), "r", OnDuplicate.REJECT));

        assertThat(q.reserve(me, 1).tasks().getFirst().payload()).isEqualTo(payload);
    }

    private static NewTask sized(String id, int bytes) {
        return new NewTask(TaskId.of(id), Payload.of(new byte[bytes], "x"), When.now(), "r-" + id, OnDuplicate.REJECT);
    }
}
