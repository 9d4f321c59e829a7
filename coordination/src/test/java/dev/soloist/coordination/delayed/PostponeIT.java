package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostponeIT {

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
    void d07_keepEarliestIsDeliveredAtItsFirstDueHoweverOftenItIsAskedForAgain() {
        postponedForAWhile(OnDuplicate.KEEP_EARLIEST);
    }

    @Test
    void d07_rejectIsDeliveredAtItsFirstDueAndEveryAcceptedCallHasItsOwnDelivery() {
        postponedForAWhile(OnDuplicate.REJECT);
    }

    @Test
    void d07_keepLatestIsDeliveredOnceAfterTheLastCall() {
        Instant lastDue = Instant.EPOCH;
        int stalls = 0;
        boolean waits = false;
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        int calls = 0;
        while (System.nanoTime() - end < 0 || calls < 20) {
            calls++;
            lastDue = q.accepted(me, task("a", When.after(Duration.ofMillis(300)), OnDuplicate.KEEP_LATEST))
                    .dueAt();
            // Only a machine that stood still for so long makes it due before it is postponed again.
            Reservation.Reserved early = moveAndReserve();
            for (ReservedTask task : early.tasks()) {
                assertThat(early.redisNow()).isAfterOrEqualTo(lastDue);
                q.queue.ack(task.held());
            }
            waits = early.tasks().isEmpty();
            stalls += early.tasks().size();
        }

        assertThat(stalls).as("of %d calls most postponed it", calls).isLessThan(calls / 2);
        if (!waits) {
            return; // it stood still at the very last call
        }
        Reservation.Reserved delivered = await().pollInterval(Duration.ofMillis(5))
                .until(this::moveAndReserve, r -> !r.tasks().isEmpty());

        assertThat(delivered.redisNow()).isAfterOrEqualTo(lastDue);
        assertThat(delivered.tasks().getFirst().dueAt()).isEqualTo(lastDue);
        q.queue.ack(delivered.tasks().getFirst().held());
        assertThat(q.segment(me)).isEmpty();
        assertThat(q.list(1)).isEmpty();
    }

    /** Asks again and again for three seconds, with a delay of 300 ms; every accepted new task must be delivered. */
    private void postponedForAWhile(OnDuplicate policy) {
        int created = 0;
        int delivered = 0;
        Instant due = Instant.EPOCH;
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() - end < 0 || created < 2) {
            Enqueue answer = q.queue.enqueue(me, task("a", When.after(Duration.ofMillis(300)), policy));
            if (answer instanceof Accepted accepted && accepted.outcome() == Outcome.CREATED) {
                created++;
                due = accepted.dueAt();
            } else if (answer instanceof Accepted accepted) {
                assertThat(accepted.dueAt()).isEqualTo(due);
            }
            for (ReservedTask task : deliver()) {
                assertThat(task.dueAt()).isEqualTo(due);
                assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
                delivered++;
            }
        }
        if (delivered < created) {
            Reservation.Reserved last = await().pollInterval(Duration.ofMillis(5))
                    .until(this::moveAndReserve, r -> !r.tasks().isEmpty());
            delivered += last.tasks().size();
        }
        assertThat(created).isBetween(2, 20);
        assertThat(delivered).isEqualTo(created);
    }

    private List<ReservedTask> deliver() {
        return moveAndReserve().tasks();
    }

    private Reservation.Reserved moveAndReserve() {
        q.queue.move(me.value(), 10);
        return q.reserve(me, 10);
    }
}
