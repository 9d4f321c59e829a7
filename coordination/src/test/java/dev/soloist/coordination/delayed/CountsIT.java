package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CountsIT {

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
    void everyTaskIsCountedWhereItIs() {
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "dead", MINUTE).held(), ""), 3);
        q.held(me, "held", MINUTE);
        q.enqueue(me, "ready", When.now());
        q.enqueue(me, "pending-1", MINUTE_LATER);
        q.enqueue(me, "pending-2", MINUTE_LATER);

        QueueCounts counts = q.queue.counts(List.of(me.value()));

        assertThat(counts.pending()).isEqualTo(2);
        assertThat(counts.ready()).isEqualTo(1);
        assertThat(counts.inFlight()).isEqualTo(1);
        assertThat(counts.dead()).isEqualTo(1);
    }

    @Test
    void anEmptyQueueCountsNothing() {
        assertThat(q.queue.counts(List.of())).isEqualTo(new QueueCounts(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    void theOldestOverdueIsSeenInALiveAndInADeadPodsSegmentAndAmongTheReady() {
        q.enqueue(me, "a", When.after(Duration.ofMillis(1)));
        await().until(() -> !overdue().isZero());

        q.queue.move(me.value(), 10);
        Duration ready = overdue();
        assertThat(ready).isPositive();
        await().until(() -> overdue().compareTo(ready) > 0);

        q.reserve(me, 1);
        assertThat(overdue()).isZero();
    }

    @Test
    void staleHintsNeverMakeACountNegative() {
        q.enqueue(me, "a", When.now());
        q.queue.cancel(TaskId.of("a"));

        assertThat(q.queue.counts(List.of())).isEqualTo(new QueueCounts(0, 0, 0, 0, Duration.ZERO));
    }

    private Duration overdue() {
        return q.queue.counts(List.of(me.value())).oldestOverdue();
    }
}
