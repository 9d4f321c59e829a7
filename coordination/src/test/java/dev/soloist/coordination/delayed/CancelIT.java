package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CancelIT {

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
    void aWaitingTaskIsGoneWithItsEntry() {
        q.enqueue(me, "a", MINUTE_LATER);

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.CANCELLED);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.segment(me)).isEmpty();
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void aReadyTaskIsNotHandedOut() {
        q.enqueue(me, "a", When.now());

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.CANCELLED);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
    }

    @Test
    void aHeldTaskIsFlaggedAndMayStillEndWell() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.IN_FLIGHT);

        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().cancelRequested())
                .isTrue();
        assertThat(q.queue.ack(held)).isEqualTo(Ack.ACKED);
    }

    @Test
    void aHeldTaskWhoseHolderVanishesIsNotTriedAgain() {
        q.held(me, "a", Duration.ofMillis(1));
        q.queue.cancel(TaskId.of("a"));

        await().until(() -> q.queue.sweep(me, sweep(10)).cancelled() == 1);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.segment(me)).isEmpty();
    }

    @Test
    void aCancellationIsToldAgainWhileTheIdIsRemembered() {
        q.enqueue(me, "a", MINUTE_LATER);
        q.queue.cancel(TaskId.of("a"));

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.CANCELLED);
        assertThat(q.queue.cancel(TaskId.of("nothing"))).isEqualTo(Cancellation.NOT_FOUND);
        q.queue.ack(q.held(me, "b", MINUTE).held());
        assertThat(q.queue.cancel(TaskId.of("b"))).isEqualTo(Cancellation.DONE);
    }

    @Test
    void aDeadLetterIsRemoved() {
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "a", MINUTE).held(), ""), 3);

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.CANCELLED);

        assertThat(q.zset(KEYS.dead(JOB))).isEmpty();
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
    }

    @Test
    void theEntryOfAMovedTaskIsTidiedInTheSegmentThatHoldsIt() {
        InstanceId other = q.member();
        q.enqueue(me, "a", MINUTE_LATER);
        q.queue.reschedule(TaskId.of("a"), When.after(Duration.ofSeconds(30)), other);

        q.queue.cancel(TaskId.of("a"));

        assertThat(q.segment(other)).isEmpty();
        // The first pod's entry is a stale hint until its due: it costs one look then.
        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void anIdCanBeUsedAgainAfterACancellation() {
        q.enqueue(me, "a", MINUTE_LATER);
        q.queue.cancel(TaskId.of("a"));

        assertThat(q.enqueue(me, "a", When.now())).isInstanceOf(Accepted.class);
        assertThat(q.reserve(me, 1).tasks()).hasSize(1);
    }

    @Test
    void aStaleHintOfTheOldLifeDoesNotMakeTheNewLifeEarly() {
        q.enqueue(me, "a", When.now());
        q.queue.cancel(TaskId.of("a"));
        q.enqueue(me, "a", MINUTE_LATER);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();

        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void tidyingUpAfterACancellationSparesTheEntryOfANewLife() {
        q.enqueue(me, "a", MINUTE_LATER);
        // Between the two steps of a cancellation somebody enqueues the id again, into the same segment.
        var between = new Ending(new ScriptRunner(q.link), new QueueKeys(KEYS, JOB), () -> QueueLimits.DEFAULT);
        between.withdraw(TaskId.of("a"), "ANY");
        q.enqueue(me, "a", MINUTE_LATER);
        between.tidy(me.value(), "1a".getBytes(StandardCharsets.UTF_8));

        assertThat(q.segment(me)).containsOnlyKeys("1a");
        q.queue.cancel(TaskId.of("a"));
        between.tidy(me.value(), "1a".getBytes(StandardCharsets.UTF_8));
        assertThat(q.segment(me)).isEmpty();
    }

    @Test
    void nothingIsLeftOfATaskThatHadBeenTriedOrMoved() {
        Held held = q.held(me, "tried", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "failed"), 3);
        q.enqueue(me, "moved", MINUTE_LATER);
        q.queue.reschedule(TaskId.of("moved"), When.now(), me);

        assertThat(q.queue.cancel(TaskId.of("tried"))).isEqualTo(Cancellation.CANCELLED);
        assertThat(q.queue.cancel(TaskId.of("moved"))).isEqualTo(Cancellation.CANCELLED);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
    }
}
