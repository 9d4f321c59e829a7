package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RescheduleIT {

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
    void aWaitingTaskGetsTheNewDue() {
        q.enqueue(me, "a", MINUTE_LATER);

        var answer = rescheduled(me, When.after(Duration.ofSeconds(30)));

        assertThat(answer.dueAt()).isEqualTo(answer.redisNow().plusSeconds(30));
        assertThat(answer.head()).isTrue();
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().dueAt()).isEqualTo(answer.dueAt());
    }

    @Test
    void aReadyTaskWaitsAgain() {
        q.enqueue(me, "a", When.now());

        rescheduled(me, MINUTE_LATER);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void aWaitingTaskBecomesReadyAtOnce() {
        q.enqueue(me, "a", MINUTE_LATER);

        rescheduled(me, When.now());

        assertThat(q.reserve(me, 1).tasks()).hasSize(1);
    }

    @Test
    void anotherPodsEntryFiresAsAStaleHintAndIsPutBack() {
        InstanceId other = q.member();
        q.enqueue(me, "a", When.after(Duration.ofMillis(1)));
        var later = rescheduled(other, MINUTE_LATER);
        await().until(() -> q.queue.move(me.value(), 10).count() == 1);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();

        assertThat(q.segment(me)).isEqualTo(Map.of("1a", later.dueAt().toEpochMilli()));
        assertThat(q.segment(other)).isEqualTo(Map.of("1a", later.dueAt().toEpochMilli()));
    }

    @Test
    void aHeldOrDeadTaskIsRefused() {
        Held held = q.held(me, "a", MINUTE).held();
        assertThat(q.queue.reschedule(TaskId.of("a"), MINUTE_LATER, me))
                .isEqualTo(new Rescheduling.Refused(Rescheduling.Reason.IN_FLIGHT));
        q.queue.giveBack(me, GiveBack.dead(held, ""), 3);
        assertThat(q.queue.reschedule(TaskId.of("a"), MINUTE_LATER, me))
                .isEqualTo(new Rescheduling.Refused(Rescheduling.Reason.DEAD));
    }

    @Test
    void anUnknownTaskAndADueTooFarAreToldApart() {
        assertThat(q.queue.reschedule(TaskId.of("nothing"), MINUTE_LATER, me)).isEqualTo(new Rescheduling.NotFound());
        q.enqueue(me, "a", MINUTE_LATER);
        assertThat(q.queue.reschedule(TaskId.of("a"), When.after(Duration.ofDays(400)), me))
                .isEqualTo(new Rescheduling.Refused(Rescheduling.Reason.TOO_FAR));
    }

    @Test
    void aFencedCallersTaskGoesToTheSharedSegment() {
        q.enqueue(me, "a", MINUTE_LATER);
        q.instances.fence(me, new Evidence.Terminated());

        var answer = rescheduled(me, When.after(Duration.ofSeconds(30)));

        assertThat(q.zset(KEYS.sharedSegment(JOB)))
                .isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
        assertThat(answer.head()).isFalse();
    }

    @Test
    void attemptsAndErrorStay() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "boom"), 3);

        rescheduled(me, When.now());

        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().lastError()).isEqualTo("boom");
        assertThat(q.reserve(me, 1).tasks().getFirst().attempt()).isEqualTo(2);
    }

    private Rescheduling.Rescheduled rescheduled(InstanceId by, When when) {
        Rescheduling answer = q.queue.reschedule(TaskId.of("a"), when, by);
        assertThat(answer).isInstanceOf(Rescheduling.Rescheduled.class);
        return (Rescheduling.Rescheduled) answer;
    }
}
