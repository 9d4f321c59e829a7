package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExtendIT {

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
    void theDeadlineBeginsAnew() {
        Held held = q.held(me, "a", Duration.ofSeconds(5)).held();

        Extension answer = q.queue.extend(held, MINUTE);

        assertThat(answer).isInstanceOfSatisfying(Extension.Extended.class, extended -> {
            assertThat(extended.cancelRequested()).isFalse();
            assertThat(q.zset(KEYS.inFlight(JOB)))
                    .isEqualTo(Map.of("a", extended.redisNow().plus(MINUTE).toEpochMilli()));
        });
    }

    @Test
    void theHolderHearsOfACancellation() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.cancel(TaskId.of("a"));

        assertThat(q.queue.extend(held, MINUTE))
                .isInstanceOfSatisfying(
                        Extension.Extended.class,
                        extended -> assertThat(extended.cancelRequested()).isTrue());
    }

    @Test
    void aVoidReceiptExtendsNothing() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.ack(held);

        assertThat(q.queue.extend(held, MINUTE)).isEqualTo(new Extension.Stale());
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    @Test
    void aStrangersReceiptDoesNotMoveTheHoldersDeadline() {
        q.held(me, "a", MINUTE);
        Map<String, Long> before = q.zset(KEYS.inFlight(JOB));

        assertThat(q.queue.extend(new Held(TaskId.of("a"), new Receipt("other:1")), Duration.ofHours(1)))
                .isEqualTo(new Extension.Stale());

        assertThat(q.zset(KEYS.inFlight(JOB))).isEqualTo(before);
    }
}
