package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RepairIT {

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
    void aSoundQueueNeedsNoRepair() {
        q.held(me, "held", MINUTE);
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "dead", MINUTE).held(), ""), 3);
        q.enqueue(me, "waiting", MINUTE_LATER);
        q.enqueue(me, "ready", When.now());
        Map<String, String> before = q.dump();

        assertThat(repairAll(Duration.ZERO)).isZero();

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void w01_aHeldTaskWhoseDeadlineWasRemovedByHandIsDeliveredAgain() {
        for (int i = 0; i < 10; i++) {
            q.held(me, "t" + i, MINUTE);
            q.link.call("ZREM", KEYS.inFlight(JOB), "t" + i);
        }
        assertThat(q.queue.sweep(me, sweep(100)).delayed()).isZero();

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(10);

        await().until(() -> q.queue.sweep(me, sweep(100)).delayed() == 10);
        await().until(() -> q.queue.move(me.value(), 100).nextHead() == null);
        assertThat(q.reserve(me, 100).tasks()).hasSize(10).allMatch(task -> task.attempt() == 2);
    }

    @Test
    void aWaitingTaskThatNoSegmentHoldsGoesToTheSharedOne() {
        Accepted answer = q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.REJECT));
        q.link.call("DEL", KEYS.segment(JOB, me.value()));

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);

        assertThat(q.zset(KEYS.sharedSegment(JOB)))
                .isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
        assertThat(repairAll(Duration.ofSeconds(60))).isZero();
    }

    @Test
    void aRescheduledTaskIsLookedForWhereItWasPut() {
        InstanceId other = q.member();
        q.enqueue(me, "a", MINUTE_LATER);
        q.queue.reschedule(TaskId.of("a"), When.after(Duration.ofSeconds(90)), other);
        q.link.call("DEL", KEYS.segment(JOB, me.value()));

        assertThat(repairAll(Duration.ofSeconds(60))).isZero();

        q.link.call("DEL", KEYS.segment(JOB, other.value()));
        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);
    }

    @Test
    void anOverdueTaskWithoutAHintIsReadyAgain() {
        q.enqueue(me, "a", When.now());
        q.link.call("DEL", KEYS.readyList(JOB, 1));

        await().until(() -> repairAll(Duration.ofMillis(1)) == 1);

        assertThat(q.reserve(me, 5).tasks()).hasSize(1);
    }

    @Test
    void aTaskThatIsNotYetLongOverdueIsLeftToItsMover() {
        q.enqueue(me, "a", When.now());
        q.link.call("DEL", KEYS.readyList(JOB, 1));

        assertThat(repairAll(Duration.ofSeconds(60))).isZero();
    }

    @Test
    void aDeadTaskThatIsNotListedIsListedAgain() {
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "a", MINUTE).held(), ""), 3);
        q.link.call("DEL", KEYS.dead(JOB));

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);

        assertThat(q.queue.dead(0, 10)).hasSize(1);
    }

    @Test
    void anAttemptWithoutATaskIsRemovedFromEveryIndex() {
        q.held(me, "a", MINUTE);
        q.link.call("HDEL", KEYS.tasks(JOB), "a");

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);

        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    @Test
    void aLargeQueueIsWalkedThroughInPages() {
        for (int i = 0; i < 1500; i++) {
            q.enqueue(me, "t" + i, MINUTE_LATER);
        }
        q.link.call("DEL", KEYS.segment(JOB, me.value()));

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1500);

        assertThat(q.zset(KEYS.sharedSegment(JOB))).hasSize(1500);
    }

    @Test
    void anOverdueTaskWithoutAHintIsReadyAgainAlsoWhileOthersWaitInTheLists() {
        q.enqueue(me, "lost", When.now());
        q.link.call("DEL", KEYS.readyList(JOB, 1));
        Instant lost = q.queue.inspect(TaskId.of("lost")).orElseThrow().dueAt();
        await().until(() -> q.link.now().isAfter(lost.plusMillis(5)));
        q.enqueue(me, "other", When.now());

        assertThat(repairAll(Duration.ofMillis(1))).isEqualTo(1);

        assertThat(q.list(1)).containsExactly("1other", "1lost");
    }

    @Test
    void aBacklogThatIsServedInOrderGetsNoSecondHints() {
        for (int i = 0; i < 50; i++) {
            q.enqueue(me, "t" + i, When.now());
        }
        Instant last = q.queue.inspect(TaskId.of("t49")).orElseThrow().dueAt();
        await().until(() -> q.link.now().isAfter(last.plusMillis(5)));

        assertThat(repairAll(Duration.ofMillis(1))).isZero();
        assertThat(q.list(1)).hasSize(50);
    }

    @Test
    void theTasksOfASegmentThatNobodyKnowsAnyMoreGoToTheSharedOne() {
        Accepted answer = q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.REJECT));
        q.link.call("DEL", KEYS.instanceMembers(JOB), KEYS.instanceLeases(JOB));

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);

        assertThat(q.zset(KEYS.sharedSegment(JOB)))
                .isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
    }

    @Test
    void aFinishedIdWithoutAnEndOfItsRetentionIsForgottenInTime() {
        q.queue.ack(q.held(me, "a", MINUTE).held());
        q.link.call("DEL", KEYS.doneExpiry(JOB));

        assertThat(repairAll(Duration.ofSeconds(60))).isEqualTo(1);

        assertThat(q.zset(KEYS.doneExpiry(JOB))).containsOnlyKeys("a");
        assertThat(repairAll(Duration.ofSeconds(60))).isZero();
    }

    @Test
    void nothingThatARecordKnowsIsLostWithTheIndexes() {
        for (int i = 0; i < 30; i++) {
            q.enqueue(me, "later" + i, When.after(Duration.ofMillis(200)));
            q.enqueue(me, "ready" + i, When.now());
        }
        List<ReservedTask> held = q.reserve(me, 10).tasks();
        q.queue.giveBack(me, GiveBack.dead(held.getFirst().held(), ""), 3);
        for (Object key : q.link.call("KEYS", "*")) {
            String name = QueueUnderTest.text(key);
            if (!name.equals(KEYS.tasks(JOB)) && !name.equals(KEYS.attempts(JOB))) {
                q.link.call("DEL", name);
            }
        }
        InstanceId survivor = q.member();
        var delivered = new TreeSet<String>();

        await().until(() -> {
            repairAll(Duration.ofMillis(1));
            q.queue.moveShared(500);
            q.queue.sweep(survivor, sweep(100));
            q.queue.move(survivor.value(), 500);
            q.reserve(survivor, 100).tasks().forEach(task -> {
                delivered.add(task.id().text());
                q.queue.ack(task.held());
            });
            return delivered.size() == 59;
        });

        assertThat(q.queue.dead(0, 10)).hasSize(1);
        assertThat(q.hash(KEYS.tasks(JOB))).hasSize(1);
    }

    private int repairAll(Duration overdue) {
        int mended = 0;
        Repair step = Repair.begin(Duration.ofMillis(1), overdue).owning(q.instances.segments());
        while (!step.isFinished()) {
            Repaired repaired = q.queue.repair(step);
            mended += repaired.mended();
            step = repaired.next();
        }
        return mended;
    }
}
