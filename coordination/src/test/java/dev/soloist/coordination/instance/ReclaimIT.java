package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReclaimIT {

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
    void d01_tasksOfAPodThatIsGoneAreDeliveredByTheNextOneWithoutAnyNewEnqueue() {
        for (int i = 0; i < 10; i++) {
            q.enqueue(me, "t" + i, When.after(Duration.ofMillis(50)));
        }
        q.instances.leave(me);
        InstanceId next = q.member();

        reclaimEverything(next);

        assertThat(drain(next)).isEqualTo(10);
    }

    @Test
    void s01_whatAKilledPodHadReservedOrDelayedIsAllDeliveredAgain() {
        for (int i = 0; i < 20; i++) {
            q.enqueue(me, "held" + i, When.now());
        }
        assertThat(q.reserve(me, Nonce.create(), 20, Duration.ofMillis(300)).tasks())
                .hasSize(20);
        for (int i = 0; i < 200; i++) {
            q.enqueue(me, "delayed" + i, When.after(Duration.ofMillis(i)));
        }
        InstanceId other = q.member();

        q.instances.fence(me, new Evidence.Terminated());
        reclaimEverything(other);

        assertThat(drain(other)).isEqualTo(220);
    }

    @Test
    void r04_aFrozenSidecarThatComesBackFindsItselfFencedAndLosesNothing() {
        q.instances.heartbeat(me, Duration.ofMillis(200));
        var inFlight = new ArrayList<Held>();
        for (int i = 0; i < 5; i++) {
            inFlight.add(q.held(me, "held" + i, Duration.ofMillis(300)).held());
        }
        for (int i = 0; i < 100; i++) {
            q.enqueue(me, "delayed" + i, When.after(Duration.ofMillis(5 * i)));
        }
        // Frozen from here on: no heartbeat arrives, and another pod reclaims.
        InstanceId other = q.member();
        await().until(() -> q.instances
                .fence(me, new Evidence.LeaseOver(Duration.ofMillis(100)))
                .equals(new Fencing.Fenced()));
        reclaimEverything(other);
        await().until(() -> q.queue.sweep(other, sweep(100)).delayed() == 5);

        // Thawed: its first script tells it, whatever it tries first.
        assertThat(q.instances.heartbeat(me, MINUTE)).isEqualTo(new Heartbeat.Fenced());
        assertThat(q.enqueue(me, "late", When.now())).isEqualTo(new Enqueue.Fenced());
        assertThat(q.queue.reserve(me, new ReserveRequest(Nonce.create(), 9, MINUTE, 3)))
                .isEqualTo(new Reservation.Fenced());
        assertThat(q.queue.ack(inFlight)).containsOnly(Ack.STALE);

        // It registers as a new instance, takes part again, and everything ends once.
        InstanceId reborn = q.member(me.podUid());
        assertThat(q.instances.segments(reborn)).containsExactly(reborn.value());
        assertThat(drain(other, reborn)).isEqualTo(105);
    }

    @Test
    void aRestartedSidecarAdoptsItsPredecessorAtOnceThoughTheLeaseIsFarFromOver() {
        InstanceId old = q.member("pod-1");
        q.enqueue(old, "a", When.after(Duration.ofMillis(1)));
        InstanceId fresh = InstanceId.create("pod-1");

        Registering answer = q.instances.register(fresh, "web-0", MINUTE);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Registering.Registered.class,
                        registered -> registered.predecessors().forEach(before -> {
                            q.instances.fence(before, new Evidence.Terminated());
                            q.instances.adopt(before, fresh);
                        }));

        assertThat(drain(fresh)).isEqualTo(1);
        assertThat(q.instances.segments(fresh)).containsExactly(fresh.value());
    }

    private void reclaimEverything(InstanceId heir) {
        q.instances.list().stream()
                .filter(view -> view.state() == InstanceView.State.FENCED)
                .forEach(view -> q.instances.adopt(view.id(), heir));
    }

    /** Moves, sweeps, reserves and acknowledges as the given instances until nothing is recorded; counts the acks. */
    private int drain(InstanceId... members) {
        var acked = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            for (InstanceId member : members) {
                for (String segment : q.instances.segments(member)) {
                    if (q.queue.move(segment, 500).nextHead() == null) {
                        q.instances.drop(member, segment);
                    }
                }
                q.queue.sweep(member, sweep(100));
                for (ReservedTask task : q.reserve(member, 100).tasks()) {
                    assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
                    acked.incrementAndGet();
                }
            }
            return q.hash(KEYS.tasks(JOB)).isEmpty();
        });
        return acked.get();
    }
}
