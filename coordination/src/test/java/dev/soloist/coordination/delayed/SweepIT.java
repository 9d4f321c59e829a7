package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.BACKOFF;
import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SweepIT {

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
    void anExpiredTaskWaitsForItsBackoffInTheSweepersSegment() {
        InstanceId sweeper = q.member();
        q.held(me, "a", Duration.ofMillis(1));
        var request = new SweepRequest(10, new Backoff(Duration.ofSeconds(10), 2, MINUTE), 3);

        Instant before = q.link.now();
        Swept swept = sweepUntilSomethingHappens(sweeper, request);

        assertThat(swept.delayed()).isEqualTo(1);
        assertThat(swept.more()).isFalse();
        Instant due = Instant.ofEpochMilli(q.segment(sweeper).get("1a"));
        assertThat(due).isEqualTo(swept.nextDue());
        assertThat(due).isBetween(before.plusSeconds(10), q.link.now().plusSeconds(11));
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
        assertThat(q.field(KEYS.attempts(JOB), "a")).startsWith("P|1|1||" + sweeper + "|");
    }

    @Test
    void theBackoffGrowsWithTheAttemptsUpToItsMaximum() {
        q.held(me, "a", Duration.ofMillis(1));
        for (int expected : List.of(10, 20, 25)) {
            Instant before = q.link.now();
            Swept swept = sweepUntilSomethingHappens(
                    me, new SweepRequest(10, new Backoff(Duration.ofSeconds(10), 2, Duration.ofSeconds(25)), 9));
            assertThat(swept.nextDue())
                    .isBetween(before.plusSeconds(expected), q.link.now().plusMillis(expected * 1100L));
            q.queue.reschedule(TaskId.of("a"), When.now(), me);
            q.reserve(me, Nonce.create(), 1, Duration.ofMillis(1));
        }
    }

    @Test
    void theLastAttemptThatExpiresMakesADeadLetter() {
        q.held(me, "a", Duration.ofMillis(1));

        Swept swept = sweepUntilSomethingHappens(me, new SweepRequest(10, BACKOFF, 1));

        assertThat(swept.dead()).isEqualTo(1);
        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("a");
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().state()).isEqualTo(TaskState.DEAD);
    }

    @Test
    void aTaskWithinItsVisibilityIsLeftAlone() {
        q.held(me, "a", MINUTE);
        Map<String, String> before = q.dump();

        assertThat(q.queue.sweep(me, sweep(10)).delayed()).isZero();

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void withoutASegmentOfItsOwnOrWithAFencedOneTheSharedSegmentIsUsed() {
        q.held(me, "a", Duration.ofMillis(1));
        await().until(() -> q.queue.sweepToShared(sweep(10)).delayed() == 1);
        q.held(me, "b", Duration.ofMillis(1));
        InstanceId fenced = q.member();
        q.instances.fence(fenced, new Evidence.Terminated());
        await().until(() -> q.queue.sweep(fenced, sweep(10)).delayed() == 1);

        assertThat(q.zset(KEYS.sharedSegment(JOB))).containsOnlyKeys("1a", "1b");
        assertThat(q.segment(fenced)).isEmpty();
    }

    @Test
    void aBatchIsBoundedAndTellsThatThereIsMore() {
        for (int i = 0; i < 3; i++) {
            q.held(me, "t" + i, Duration.ofMillis(1));
        }
        await().until(() -> q.zset(KEYS.inFlight(JOB)).values().stream()
                .allMatch(deadline -> deadline < q.link.now().toEpochMilli()));

        Swept first = q.queue.sweep(me, sweep(2));

        assertThat(first.delayed()).isEqualTo(2);
        assertThat(first.more()).isTrue();
        assertThat(q.queue.sweep(me, sweep(2)).delayed()).isEqualTo(1);
    }

    @Test
    void anEntryWithoutAHeldTaskIsDropped() {
        q.link.call("ZADD", KEYS.inFlight(JOB), "1", "ghost");

        assertThat(q.queue.sweep(me, sweep(10)).dropped()).isEqualTo(1);

        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    /** How many are taken back at once; fewer where each takes a dozen commands. */
    int manyTasks() {
        return 5000;
    }

    @Test
    void w02_tenSweepersTakeBackFiveThousandExpiredTasksOnceEach() throws Exception {
        int tasks = manyTasks();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var enqueued = new ArrayList<Future<?>>();
            for (int i = 0; i < tasks; i++) {
                String id = "t" + i;
                enqueued.add(threads.submit(() -> q.enqueue(me, id, When.now())));
            }
            for (Future<?> done : enqueued) {
                done.get();
            }
            int held = 0;
            while (held < tasks) {
                held += q.reserve(me, Nonce.create(), 100, Duration.ofMillis(1))
                        .tasks()
                        .size();
            }
            assertThat(q.zset(KEYS.inFlight(JOB))).hasSize(tasks);

            var swept = new AtomicInteger();
            var sweepers = new ArrayList<Future<?>>();
            for (int i = 0; i < 10; i++) {
                InstanceId sweeper = q.member();
                sweepers.add(threads.submit(() -> {
                    while (swept.get() < tasks) {
                        swept.addAndGet(q.queue.sweep(sweeper, sweep(100)).delayed());
                    }
                }));
            }
            for (Future<?> sweeper : sweepers) {
                sweeper.get();
            }
            assertThat(swept).hasValue(tasks);
        }

        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
        assertThat(q.zset(KEYS.dead(JOB))).isEmpty();
        Map<String, String> attempts = q.hash(KEYS.attempts(JOB));
        assertThat(attempts).hasSize(tasks);
        assertThat(attempts.values()).allMatch(record -> record.startsWith("P|1|1|"));

        // Each comes once more, as its second attempt, and dies of it once.
        q.instances
                .list()
                .forEach(view -> await().until(() -> {
                    Moved moved = q.queue.move(view.id().value(), 1000);
                    return moved.count() == 0 && moved.nextHead() == null;
                }));
        var seen = new HashSet<TaskId>();
        while (seen.size() < tasks) {
            for (ReservedTask task : q.reserve(me, 100).tasks()) {
                assertThat(task.attempt()).isEqualTo(2);
                assertThat(seen.add(task.id())).isTrue();
                assertThat(q.queue.giveBack(me, GiveBack.retry(task.held(), Duration.ZERO, ""), 2))
                        .isEqualTo(GivenBack.DEAD);
            }
        }
        assertThat(q.zset(KEYS.dead(JOB))).hasSize(tasks);
        assertThat(q.reserve(me, 100).tasks()).isEmpty();
    }

    private Swept sweepUntilSomethingHappens(InstanceId sweeper, SweepRequest request) {
        return await().until(
                        () -> q.queue.sweep(sweeper, request),
                        swept -> swept.delayed() + swept.dead() + swept.cancelled() > 0);
    }
}
