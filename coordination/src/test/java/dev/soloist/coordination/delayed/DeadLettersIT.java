package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeadLettersIT {

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
    void theLatestDeathIsListedFirstAndPagesFit() {
        for (int i = 0; i < 5; i++) {
            die("t" + i);
            q.link.call("ZADD", KEYS.dead(JOB), String.valueOf(1000 + i), "t" + i);
        }

        assertThat(q.queue.dead(0, 2)).extracting(task -> task.id().text()).containsExactly("t4", "t3");
        assertThat(q.queue.dead(4, 2)).extracting(task -> task.id().text()).containsExactly("t0");
        DeadTask latest = q.queue.dead(0, 1).getFirst();
        assertThat(latest.attempts()).isEqualTo(1);
        assertThat(latest.lastError()).isEqualTo("died");
        assertThat(latest.diedAt()).isEqualTo(Instant.ofEpochMilli(1004));
    }

    @Test
    void aRequeuedTaskStartsAnew() {
        die("a");

        assertThat(q.queue.requeue(TaskId.of("a"))).isEqualTo(Requeue.REQUEUED);

        assertThat(q.zset(KEYS.dead(JOB))).isEmpty();
        assertThat(q.reserve(me, 1).tasks().getFirst().attempt()).isEqualTo(1);
    }

    @Test
    void onlyADeadTaskCanBeRequeuedAndOnlyOnce() {
        q.enqueue(me, "waiting", MINUTE_LATER);
        die("a");
        q.queue.requeue(TaskId.of("a"));

        assertThat(q.queue.requeue(TaskId.of("a"))).isEqualTo(Requeue.NOT_DEAD);
        assertThat(q.queue.requeue(TaskId.of("waiting"))).isEqualTo(Requeue.NOT_DEAD);
        assertThat(q.queue.requeue(TaskId.of("nothing"))).isEqualTo(Requeue.NOT_DEAD);
        assertThat(q.list(1)).containsExactly("1a");
    }

    @Test
    void lettersThatAreTooOldArePurgedTwentyAtATime() {
        for (int i = 0; i < 25; i++) {
            die("old" + i);
            q.link.call("ZADD", KEYS.dead(JOB), "1", "old" + i);
        }
        die("new");

        assertThat(q.queue.purge().dead()).isEqualTo(20);
        assertThat(q.queue.purge().dead()).isEqualTo(5);
        assertThat(q.queue.purge().dead()).isZero();

        assertThat(q.hash(KEYS.tasks(JOB))).containsOnlyKeys("new");
        assertThat(q.hash(KEYS.attempts(JOB))).containsOnlyKeys("new");
        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("new");
    }

    @Test
    void ofTooManyLettersTheOldestArePurged() {
        var few = new QueueUnderTest(q.link, new QueueLimits(100, 100, MINUTE, Duration.ofDays(1), 3));
        for (int i = 0; i < 5; i++) {
            die("t" + i);
            long now = q.link.now().toEpochMilli();
            q.link.call("ZADD", KEYS.dead(JOB), String.valueOf(now - 100 + i), "t" + i);
        }

        assertThat(few.queue.purge().dead()).isEqualTo(2);

        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("t2", "t3", "t4");
    }

    @Test
    void aLetterIsReadWithItsPayloadItsErrorAndItsDeath() {
        die("a");
        TaskView letter = q.queue.inspect(TaskId.of("a")).orElseThrow();

        assertThat(letter.state()).isEqualTo(TaskState.DEAD);
        assertThat(letter.lastError()).isEqualTo("died");
        assertThat(letter.payload()).isEqualTo(Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"));
        assertThat(letter.diedAt()).isEqualTo(q.queue.dead(0, 1).getFirst().diedAt());
    }

    @Test
    void onlyADeadTaskIsDiscardedAndItsRequestIsRemembered() {
        NewTask task = QueueUnderTest.task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request");
        q.queue.enqueue(me, task);
        assertThat(q.queue.discard(TaskId.of("a"))).isEqualTo(Discard.NOT_DEAD);
        ReservedTask held = q.reserve(me, 1).tasks().getFirst();
        assertThat(q.queue.discard(TaskId.of("a"))).isEqualTo(Discard.NOT_DEAD);
        assertThat(q.queue.extend(held.held(), MINUTE)).isInstanceOf(Extension.Extended.class);
        q.queue.giveBack(me, GiveBack.retry(held.held(), MINUTE, "again"), 3);
        assertThat(q.queue.discard(TaskId.of("a"))).isEqualTo(Discard.NOT_DEAD);
        assertThat(q.queue.discard(TaskId.of("nothing"))).isEqualTo(Discard.NOT_DEAD);
        die("b");

        assertThat(q.queue.discard(TaskId.of("b"))).isEqualTo(Discard.DISCARDED);
        assertThat(q.queue.discard(TaskId.of("b"))).isEqualTo(Discard.DISCARDED);

        assertThat(q.queue.dead(0, 10)).isEmpty();
        assertThat(q.hash(KEYS.tasks(JOB))).containsOnlyKeys("a");
        assertThat(q.queue.inspect(TaskId.of("b")).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void allLettersCanBePurgedAtOnceAndNothingElseIsTouched() {
        q.enqueue(me, "waits", MINUTE_LATER);
        for (int i = 0; i < 130; i++) {
            die("t" + i);
        }
        int purged = 0;
        for (int some = q.queue.purgeDead().dead();
                some > 0;
                some = q.queue.purgeDead().dead()) {
            assertThat(some).isLessThanOrEqualTo(100);
            purged += some;
        }

        assertThat(purged).isEqualTo(130);
        assertThat(q.queue.dead(0, 10)).isEmpty();
        assertThat(q.hash(KEYS.tasks(JOB))).containsOnlyKeys("waits");
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.segment(me)).containsOnlyKeys("1waits");
    }

    @Test
    void finishedIdsAreForgottenAHundredAtATime() {
        for (int i = 0; i < 150; i++) {
            q.link.call("HSET", KEYS.done(JOB), "t" + i, "D|1|1|n:1|r");
            q.link.call("ZADD", KEYS.doneExpiry(JOB), "1", "t" + i);
        }

        assertThat(q.queue.purge().finished()).isEqualTo(100);
        assertThat(q.queue.purge().finished()).isEqualTo(50);

        assertThat(q.hash(KEYS.done(JOB))).isEmpty();
    }

    private void die(String id) {
        q.queue.giveBack(me, GiveBack.dead(q.held(me, id, MINUTE).held(), "died"), 3);
    }
}
