package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RacesIT {

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

    private static final int ROUNDS = 200;

    @Test
    void ofACancellationAndAReservationExactlyOneWins() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String id = "t" + i;
            q.enqueue(me, id, When.now());
            var reserved = new AtomicInteger();
            var cancelled = new AtomicInteger();

            atOnce(
                    () -> reserved.set(q.reserve(me, 1).tasks().size()),
                    () -> cancelled.set(q.queue.cancel(TaskId.of(id)) == Cancellation.CANCELLED ? 1 : 0));

            assertThat(reserved.get() + cancelled.get()).isEqualTo(1);
            q.reserve(me, 1);
        }
    }

    @Test
    void ofAMoveAndACancellationNothingIsLeftOver() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String id = "t" + i;
            q.link.call("DEL", KEYS.readyList(JOB, 1));
            q.enqueue(me, id, When.after(Duration.ofMillis(1)));

            atOnce(() -> q.queue.move(me.value(), 10), () -> q.queue.cancel(TaskId.of(id)));

            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> q.queue.move(me.value(), 10).nextHead() == null);
            assertThat(q.reserve(me, 5).tasks()).isEmpty();
            assertThat(q.list(1)).isEmpty();
        }
    }

    @Test
    void ofAMoveAndAPostponementTheTaskComesOnceAndNotBeforeTheNewDue() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            TaskId id = TaskId.of("t" + i);
            q.enqueue(me, id.text(), When.after(Duration.ofMillis(1)));

            atOnce(
                    () -> q.queue.move(me.value(), 10),
                    () -> q.queue.reschedule(id, When.after(Duration.ofMillis(5)), me));

            Instant due = q.queue.inspect(id).orElseThrow().dueAt();
            var answer = await().pollInterval(Duration.ofMillis(1))
                    .until(
                            () -> {
                                q.queue.move(me.value(), 10);
                                return q.reserve(me, 5);
                            },
                            reserved -> !reserved.tasks().isEmpty());
            assertThat(answer.redisNow()).isAfterOrEqualTo(due);
            assertThat(q.queue.ack(answer.tasks().getFirst().held())).isEqualTo(Ack.ACKED);
        }
        // A hint that fired late may have left its entry behind; it is dropped when it is looked at.
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> q.queue.move(me.value(), 500).nextHead() == null);
        while (q.reserve(me, 100).more()) {}
        assertThat(q.list(1)).isEmpty();
        assertThat(q.segment(me)).isEmpty();
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
    }

    @Test
    void ofASweepAndAnAckExactlyOneWins() throws Exception {
        int acked = 0;
        for (int i = 0; i < ROUNDS; i++) {
            Held held = q.held(me, "t" + i, Duration.ofMillis(1)).held();
            var answer = new AtomicInteger();
            var swept = new AtomicInteger();

            atOnce(
                    () -> answer.set(q.queue.ack(held) == Ack.ACKED ? 1 : 0),
                    () -> swept.set(q.queue.sweep(me, sweep(10)).delayed()));

            if (answer.get() == 0) {
                assertThat(swept).hasValue(1);
                q.queue.cancel(held.id());
            } else {
                assertThat(swept).hasValue(0);
                acked++;
            }
        }
        assertThat(acked).isBetween(0, ROUNDS);
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    @Test
    void twoMoversOfOneSegmentMoveEachTaskOnce() throws Exception {
        for (int i = 0; i < 2000; i++) {
            q.link.call("ZADD", KEYS.segment(JOB, me.value()), "1", "1t" + i);
        }
        var moved = new AtomicInteger();
        Runnable mover = () -> {
            int count;
            do {
                count = q.queue.move(me.value(), 50).count();
                moved.addAndGet(count);
            } while (count > 0);
        };

        atOnce(mover, mover, mover);

        assertThat(moved).hasValue(2000);
        assertThat(q.list(1)).doesNotHaveDuplicates().hasSize(2000);
    }

    @Test
    void ofTwoPodsThatEnqueueOneIdTheSecondSeesTheFirst() throws Exception {
        InstanceId other = q.member();
        for (int i = 0; i < ROUNDS; i++) {
            String id = "t" + i;
            var created = new AtomicInteger();

            atOnce(
                    () -> created.addAndGet(q.enqueue(me, id, MINUTE_LATER) instanceof Accepted ? 1 : 0),
                    () -> created.addAndGet(q.enqueue(other, id, MINUTE_LATER) instanceof Accepted ? 1 : 0));

            assertThat(created).hasValue(1);
        }
        assertThat(q.segment(me).size() + q.segment(other).size()).isEqualTo(ROUNDS);
    }

    @Test
    void anEnqueueThatRacesAFenceIsEitherAdoptedOrRefused() throws Exception {
        InstanceId heir = q.member();
        for (int i = 0; i < ROUNDS; i++) {
            InstanceId dying = q.member();
            String id = "t" + i;
            var accepted = new AtomicInteger();

            atOnce(() -> accepted.set(q.enqueue(dying, id, MINUTE_LATER) instanceof Accepted ? 1 : 0), () -> {
                q.instances.fence(dying, new Evidence.Terminated());
                q.instances.adopt(dying, heir);
            });

            assertThat(q.segment(dying)).hasSize(accepted.get());
            assertThat(q.instances.segments(heir)).contains(dying.value());
            if (accepted.get() == 0) {
                assertThat(q.queue.inspect(TaskId.of(id))).isEmpty();
            }
        }
    }

    @Test
    void aLateEnqueueOfAFencedInstanceNeverLandsInADroppedSegment() throws Exception {
        InstanceId heir = q.member();
        for (int i = 0; i < ROUNDS; i++) {
            InstanceId dying = q.member();
            String id = "t" + i;

            atOnce(() -> q.enqueue(dying, id, MINUTE_LATER), () -> {
                q.instances.fence(dying, new Evidence.Terminated());
                q.instances.adopt(dying, heir);
                q.instances.drop(heir, dying.value());
            });

            boolean stored = q.queue.inspect(TaskId.of(id)).isPresent();
            assertThat(q.instances.segments(heir).contains(dying.value())).isEqualTo(stored);
        }
    }

    private static void atOnce(Runnable... actions) throws Exception {
        var start = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            for (Runnable action : actions) {
                futures.add(threads.submit(() -> {
                    start.await();
                    action.run();
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }
}
