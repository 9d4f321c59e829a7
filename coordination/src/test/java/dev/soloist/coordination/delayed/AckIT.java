package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AckIT {

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
    void aDoneTaskLeavesNothingButItsIdForTheRetention() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.ack(held)).isEqualTo(Ack.ACKED);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
        assertThat(q.field(KEYS.done(JOB), "a")).startsWith("D|").contains("|" + held.receipt() + "|");
        assertThat(Instant.ofEpochMilli(q.zset(KEYS.doneExpiry(JOB)).get("a")))
                .isBetween(q.link.now().plusSeconds(500), q.link.now().plusSeconds(600));
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().state()).isEqualTo(TaskState.DONE);
    }

    @Test
    void aRepeatedAckIsToldSo() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.ack(held);

        assertThat(q.queue.ack(held)).isEqualTo(Ack.REPEATED);
    }

    @Test
    void withoutRetentionARepeatedAckIsStale() {
        var forgetful = new QueueUnderTest(q.link, QueueLimits.DEFAULT.withRetention(Duration.ZERO));
        Held held = forgetful.held(me, "a", MINUTE).held();

        assertThat(forgetful.queue.ack(held)).isEqualTo(Ack.ACKED);
        assertThat(forgetful.queue.ack(held)).isEqualTo(Ack.STALE);
        assertThat(q.hash(KEYS.done(JOB))).isEmpty();
    }

    @Test
    void aStrangersReceiptIsStaleAndChangesNothing() {
        q.held(me, "a", MINUTE);
        Map<String, String> before = q.dump();

        assertThat(q.queue.ack(new Held(TaskId.of("a"), new Receipt("other:1"))))
                .isEqualTo(Ack.STALE);
        assertThat(q.queue.ack(new Held(TaskId.of("nothing"), new Receipt("other:1"))))
                .isEqualTo(Ack.STALE);

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void anAckAfterTheDeadlineCountsWhileNobodyHasSwept() {
        ReservedTask task = q.held(me, "a", Duration.ofMillis(1));
        await().until(() ->
                q.link.now().toEpochMilli() > q.zset(KEYS.inFlight(JOB)).get("a"));

        assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
        assertThat(q.queue.sweep(me, sweep(10)).delayed()).isZero();
    }

    @Test
    void anAckAfterTheSweepIsStaleAndTheTaskRunsAgain() {
        ReservedTask task = q.held(me, "a", Duration.ofMillis(1));
        await().until(() -> q.queue.sweep(me, sweep(10)).delayed() == 1);

        assertThat(q.queue.ack(task.held())).isEqualTo(Ack.STALE);

        await().until(() -> q.queue.move(me.value(), 10).count() == 1);
        ReservedTask again = q.reserve(me, 1).tasks().getFirst();
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(q.queue.ack(task.held())).isEqualTo(Ack.STALE);
        assertThat(q.queue.ack(again.held())).isEqualTo(Ack.ACKED);
    }

    @Test
    void aBatchIsAnsweredInOrderAlsoBeyondOneCall() {
        var held = new ArrayList<Held>();
        for (int i = 0; i < 250; i++) {
            q.enqueue(me, "t" + i, When.now());
        }
        while (held.size() < 250) {
            q.reserve(me, 100).tasks().forEach(task -> held.add(task.held()));
        }
        held.add(120, new Held(TaskId.of("nothing"), new Receipt("n:1")));

        List<Ack> answers = q.queue.ack(held);

        assertThat(answers).hasSize(251);
        assertThat(answers.get(120)).isEqualTo(Ack.STALE);
        assertThat(answers.stream().filter(Ack.ACKED::equals)).hasSize(250);
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
    }

    @Test
    void aFencedInstanceCanStillEndWhatItHolds() {
        Held held = q.held(me, "a", MINUTE).held();
        q.instances.fence(me, new Evidence.Terminated());

        assertThat(q.queue.ack(held)).isEqualTo(Ack.ACKED);
    }

    @Test
    void theIdsOfBusyQueuesAreForgottenAsFastAsTheyCome() {
        var shortly = new QueueUnderTest(q.link, QueueLimits.DEFAULT.withRetention(Duration.ofMillis(1)));
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 100; i++) {
                shortly.enqueue(me, "t" + round + "-" + i, When.now());
            }
            shortly.queue.ack(shortly.reserve(me, 100).tasks().stream()
                    .map(ReservedTask::held)
                    .toList());
        }

        assertThat(q.zset(KEYS.doneExpiry(JOB)).size()).isLessThanOrEqualTo(200);
        assertThat(q.hash(KEYS.done(JOB))).hasSameSizeAs(q.zset(KEYS.doneExpiry(JOB)));
    }

    @Test
    void anAckAfterOnesOwnGiveBackIsStale() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, ""), 3);

        assertThat(q.queue.ack(held)).isEqualTo(Ack.STALE);

        assertThat(q.hash(KEYS.tasks(JOB))).containsOnlyKeys("a");
    }
}
