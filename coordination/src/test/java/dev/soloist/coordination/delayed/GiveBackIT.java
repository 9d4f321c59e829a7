package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Dropping;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GiveBackIT {

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
    void aFailedTaskWaitsInItsHoldersSegment() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "boom"), 3))
                .isEqualTo(GivenBack.DELAYED);

        TaskView view = q.queue.inspect(TaskId.of("a")).orElseThrow();
        assertThat(view.state()).isEqualTo(TaskState.DELAYED);
        assertThat(view.attempts()).isEqualTo(1);
        assertThat(view.lastError()).isEqualTo("boom");
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", view.dueAt().toEpochMilli()));
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    @Test
    void withoutDelayItIsReadyAtOnce() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, ""), 3))
                .isEqualTo(GivenBack.READY);

        assertThat(q.reserve(me, 1).tasks().getFirst().attempt()).isEqualTo(2);
    }

    @Test
    void theLastAttemptMakesItADeadLetter() {
        q.enqueue(me, "a", When.now());
        for (int i = 0; i < 2; i++) {
            Held held = q.reserve(me, 1).tasks().getFirst().held();
            assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, ""), 3))
                    .isEqualTo(GivenBack.READY);
        }
        Held last = q.reserve(me, 1).tasks().getFirst().held();

        assertThat(q.queue.giveBack(me, GiveBack.retry(last, Duration.ZERO, "last words"), 3))
                .isEqualTo(GivenBack.DEAD);

        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("a");
        assertThat(q.hash(KEYS.tasks(JOB))).containsOnlyKeys("a");
        assertThat(q.list(1)).isEmpty();
        assertThat(q.queue.dead(0, 10).getFirst().lastError()).isEqualTo("last words");
    }

    @Test
    void aFreeGiveBackDoesNotCountTheAttemptHoweverOften() {
        q.enqueue(me, "a", When.now());
        for (int i = 0; i < 10; i++) {
            ReservedTask task = q.reserve(me, 1).tasks().getFirst();
            assertThat(task.attempt()).isEqualTo(1);
            assertThat(q.queue.giveBack(me, GiveBack.free(task.held(), Duration.ZERO, "busy"), 3))
                    .isEqualTo(GivenBack.READY);
        }
    }

    @Test
    void theAppsWordMakesItADeadLetterAtOnce() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.giveBack(me, GiveBack.dead(held, "never"), 3)).isEqualTo(GivenBack.DEAD);
    }

    @Test
    void aTaskWithdrawnWhileHeldIsGoneWhenGivenBack() {
        Held held = q.held(me, "a", MINUTE).held();
        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.IN_FLIGHT);

        assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, ""), 3))
                .isEqualTo(GivenBack.CANCELLED);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.reserve(me, 1).tasks()).isEmpty();
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
        assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, ""), 3))
                .isEqualTo(GivenBack.REPEATED);
    }

    @Test
    void aRepeatedGiveBackChangesNothing() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.free(held, MINUTE, ""), 3);
        Map<String, String> before = q.dump();

        assertThat(q.queue.giveBack(me, GiveBack.free(held, MINUTE, ""), 3)).isEqualTo(GivenBack.REPEATED);

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void aGiveBackAfterSomebodyElseReservedIsStale() {
        Held old = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(old, Duration.ZERO, ""), 3);
        Held now = q.reserve(q.member(), 1).tasks().getFirst().held();

        assertThat(q.queue.giveBack(me, GiveBack.dead(old, ""), 3)).isEqualTo(GivenBack.STALE);

        assertThat(q.queue.ack(now)).isEqualTo(Ack.ACKED);
        assertThat(q.queue.giveBack(me, GiveBack.dead(now, ""), 3)).isEqualTo(GivenBack.STALE);
    }

    @Test
    void aGiveBackIntoAnAdoptedEmptiedAndDroppedSegmentGoesToTheSharedOne() {
        Held held = q.held(me, "a", MINUTE).held();
        InstanceId heir = q.member();
        q.instances.fence(me, new Evidence.Terminated());
        q.instances.adopt(me, heir);
        assertThat(q.instances.drop(heir, me.value())).isEqualTo(Dropping.DROPPED);

        assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ofMillis(1), ""), 3))
                .isEqualTo(GivenBack.DELAYED);

        assertThat(q.segment(me)).isEmpty();
        assertThat(q.zset(KEYS.sharedSegment(JOB))).containsOnlyKeys("1a");
        await().until(() -> q.queue.moveShared(10).count() == 1);
        assertThat(q.reserve(heir, 1).tasks()).hasSize(1);
    }

    @Test
    void anErrorOfAnyTextIsKeptAndCut() {
        Held held = q.held(me, "a", MINUTE).held();
        String error = "a|b\n" + "x".repeat(2000);

        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, error), 3);

        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().lastError()).isEqualTo(error.substring(0, 1000));
    }
}
