package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnqueueIT {

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
    void aDelayedTaskLiesInItsOwnersSegmentUnderItsDue() {
        Accepted answer = q.accepted(me, task("a", When.after(Duration.ofSeconds(30)), OnDuplicate.REJECT));

        assertThat(answer.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(answer.head()).isTrue();
        assertThat(answer.dueAt()).isEqualTo(answer.redisNow().plusSeconds(30));
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
        assertThat(q.field(KEYS.tasks(JOB), "a"))
                .startsWith("1|" + answer.dueAt().toEpochMilli() + "|")
                .endsWith("|application/json{}");
        assertThat(q.field(KEYS.attempts(JOB), "a")).isNull();
        assertThat(q.list(1)).isEmpty();
    }

    @Test
    void aTaskDueNowIsReadyAtOnceAndListenersAreTold() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (AutoCloseable subscription = q.link.subscribe(KEYS.queueWake(JOB), heard::add)) {
            assertThat(subscription).isNotNull();
            Awaitility.await().untilAsserted(() -> {
                q.link.call("PUBLISH", KEYS.queueWake(JOB), "test");
                assertThat(heard).contains("test");
            });

            q.accepted(me, task("a", When.now(), OnDuplicate.REJECT));

            Awaitility.await().untilAsserted(() -> assertThat(heard).contains("ready"));
        }
        assertThat(q.list(1)).containsExactly("1a");
        assertThat(q.segment(me)).isEmpty();
    }

    @Test
    void anInstantThatHasPassedCountsAsNow() {
        Accepted answer = q.accepted(me, task("a", When.at(Instant.EPOCH), OnDuplicate.REJECT));

        assertThat(answer.dueAt()).isEqualTo(answer.redisNow());
        assertThat(q.list(1)).containsExactly("1a");
    }

    @Test
    void onlyTheEarliestTaskOfTheSegmentIsItsHead() {
        assertThat(q.accepted(me, task("a", When.after(Duration.ofSeconds(20)), OnDuplicate.REJECT))
                        .head())
                .isTrue();
        assertThat(q.accepted(me, task("b", When.after(Duration.ofSeconds(30)), OnDuplicate.REJECT))
                        .head())
                .isFalse();
        assertThat(q.accepted(me, task("c", When.after(Duration.ofSeconds(10)), OnDuplicate.REJECT))
                        .head())
                .isTrue();
    }

    @Test
    void aFractionOfAMillisecondIsRoundedUpSoThatNothingIsEarly() {
        Instant due = Instant.ofEpochMilli(q.link.now().toEpochMilli() + 60_000).plusNanos(1);

        assertThat(q.accepted(me, task("a", When.at(due), OnDuplicate.REJECT)).dueAt())
                .isAfter(due);
    }

    @Test
    void moreThanAYearAheadIsRefused() {
        assertThat(q.enqueue(me, "a", When.after(Duration.ofDays(366))))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.TOO_FAR));
        assertThat(q.enqueue(me, "a", When.after(Duration.ofSeconds(Long.MAX_VALUE))))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.TOO_FAR));
        assertThat(q.enqueue(me, "a", When.at(Instant.MAX))).isEqualTo(new Enqueue.Refused(Enqueue.Reason.TOO_FAR));
        assertThat(q.enqueue(me, "a", When.after(Duration.ofDays(365)))).isInstanceOf(Accepted.class);
    }

    @Test
    void aFullQueueRefusesAndDeadTasksDoNotCount() {
        var small = new QueueUnderTest(q.link, new QueueLimits(1024, 2, Duration.ZERO, Duration.ofDays(1), 10));
        ReservedTask doomed = small.held(me, "doomed", QueueUnderTest.MINUTE);
        assertThat(small.queue.giveBack(me, GiveBack.dead(doomed.held(), "no"), 3))
                .isEqualTo(GivenBack.DEAD);
        small.enqueue(me, "a", QueueUnderTest.MINUTE_LATER);
        assertThat(small.enqueue(me, "b", QueueUnderTest.MINUTE_LATER)).isInstanceOf(Accepted.class);

        assertThat(small.enqueue(me, "c", QueueUnderTest.MINUTE_LATER))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.FULL));
        assertThat(small.queue.inspect(TaskId.of("c"))).isEmpty();
    }

    @Test
    void anUnknownOrFencedInstanceCannotEnqueueAndWritesNothing() {
        q.instances.fence(me, new Evidence.Terminated());
        Map<String, String> before = q.dump();

        assertThat(q.enqueue(me, "a", When.now())).isEqualTo(new Enqueue.Fenced());
        assertThat(q.enqueue(InstanceId.create("nobody"), "a", When.now())).isEqualTo(new Enqueue.Fenced());

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void aRequestRepeatedWhileTheTaskWaitsIsADuplicateThatChangesNothing() {
        NewTask task = task(TaskId.of("a"), QueueUnderTest.MINUTE_LATER, OnDuplicate.REPLACE, "request-1");
        Accepted first = q.accepted(me, task);
        Map<String, String> before = q.dump();

        Accepted second = q.accepted(me, task);

        assertThat(second.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(second.dueAt()).isEqualTo(first.dueAt());
        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void aRequestRepeatedWhileTheTaskIsHeldOrDeadIsADuplicate() {
        NewTask task = task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request-1");
        q.accepted(me, task);
        Held held = q.reserve(me, 1).tasks().getFirst().held();
        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);

        q.queue.giveBack(me, GiveBack.dead(held, "no"), 3);

        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void aRequestRepeatedAfterTheTaskIsDoneIsADuplicateAndRunsNothing() {
        NewTask task = task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request-1");
        q.accepted(me, task);
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());

        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
    }

    @Test
    void aRequestThatWasMergedIsKnownAfterTheTaskIsDone() {
        NewTask merged = task(TaskId.of("a"), When.now(), OnDuplicate.KEEP_EARLIEST, "request-2");
        q.accepted(me, task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request-1"));
        assertThat(q.accepted(me, merged).outcome()).isEqualTo(Outcome.KEPT);
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());

        assertThat(q.accepted(me, merged).outcome()).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void anotherRequestAfterTheTaskIsDoneIsANewTask() {
        q.accepted(me, task("a", When.now(), OnDuplicate.REJECT));
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());

        assertThat(q.accepted(me, task("a", When.now(), OnDuplicate.REJECT)).outcome())
                .isEqualTo(Outcome.CREATED);
        assertThat(q.reserve(me, 1).tasks()).hasSize(1);
    }

    @Test
    void aRequestRepeatedAfterACancellationDoesNotBringTheTaskBack() {
        NewTask task = task(TaskId.of("a"), QueueUnderTest.MINUTE_LATER, OnDuplicate.REJECT, "request-1");
        q.accepted(me, task);
        q.queue.cancel(TaskId.of("a"));

        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void eachEnqueueForgetsTenIdsWhoseRetentionIsOver() {
        var shortly = new QueueUnderTest(q.link, QueueLimits.DEFAULT.withRetention(Duration.ofMillis(1)));
        for (int i = 0; i < 15; i++) {
            shortly.queue.ack(
                    shortly.held(me, "old-" + i, QueueUnderTest.MINUTE).held());
        }
        // Each acknowledgement forgets some, too: so these are written by hand.
        for (int i = 0; i < 15; i++) {
            q.link.call("HSET", KEYS.done(JOB), "gone-" + i, "D|1|1|n:1|r");
            q.link.call("ZADD", KEYS.doneExpiry(JOB), "1", "gone-" + i);
        }
        int before = q.zset(KEYS.doneExpiry(JOB)).size();

        q.enqueue(me, "new", QueueUnderTest.MINUTE_LATER);

        assertThat(q.zset(KEYS.doneExpiry(JOB))).hasSize(before - 10);
        assertThat(q.hash(KEYS.done(JOB))).hasSize(before - 10);
    }
}
