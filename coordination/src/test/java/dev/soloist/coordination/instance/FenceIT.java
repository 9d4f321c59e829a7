package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FenceIT {

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
    void aLivingInstanceIsNotFencedForSilence() {
        Fencing answer = q.instances.fence(me, new Evidence.LeaseOver(Duration.ofSeconds(1)));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Fencing.StillAlive.class,
                        alive -> assertThat(alive.remaining())
                                .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(61)));
        assertThat(q.enqueue(me, "a", When.now())).isInstanceOf(Enqueue.Accepted.class);
    }

    @Test
    void graceIsAddedToTheLease() {
        q.instances.heartbeat(me, Duration.ofMillis(1));
        await().until(() -> !q.instances.list().getFirst().overFor().isZero());

        assertThat(q.instances.fence(me, new Evidence.LeaseOver(MINUTE))).isInstanceOf(Fencing.StillAlive.class);
        await().until(() -> q.instances
                .fence(me, new Evidence.LeaseOver(Duration.ofMillis(1)))
                .equals(new Fencing.Fenced()));
    }

    @Test
    void proofOfDeathDoesNotWaitForTheLease() {
        assertThat(q.instances.fence(me, new Evidence.Terminated())).isEqualTo(new Fencing.Fenced());

        assertThat(q.field(KEYS.instanceMembers(JOB), me.value())).isEqualTo("FENCED|a-pod|" + me);
        assertThat(q.zset(KEYS.instanceLeases(JOB))).containsEntry(me.value(), 0L);
        assertThat(q.instances.list().getFirst().state()).isEqualTo(InstanceView.State.FENCED);
    }

    @Test
    void fencingTwiceAndFencingNobodyAreToldApart() {
        q.instances.fence(me, new Evidence.Terminated());

        assertThat(q.instances.fence(me, new Evidence.LeaseOver(Duration.ZERO))).isEqualTo(new Fencing.Already());
        assertThat(q.instances.fence(InstanceId.create("nobody"), new Evidence.Terminated()))
                .isEqualTo(new Fencing.Gone());
    }

    @Test
    void theFencedInstanceEnqueuesAndReservesNothingButEndsWhatItHolds() {
        ReservedTask held = q.held(me, "held", MINUTE);
        q.enqueue(me, "ready", When.now());
        q.instances.fence(me, new Evidence.Terminated());

        assertThat(q.enqueue(me, "new", When.now())).isEqualTo(new Enqueue.Fenced());
        assertThat(q.queue.reserve(me, new ReserveRequest(Nonce.create(), 1, MINUTE, 3)))
                .isEqualTo(new Reservation.Fenced());
        assertThat(q.queue.ack(held.held())).isEqualTo(Ack.ACKED);
    }

    @Test
    void ofAFenceForSilenceAndAHeartbeatTheFirstDecides() throws Exception {
        for (int i = 0; i < 200; i++) {
            InstanceId instance = q.member();
            q.instances.heartbeat(instance, Duration.ofMillis(1));
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> q.zset(KEYS.instanceLeases(JOB)).get(instance.value())
                            < q.link.now().toEpochMilli() - 1);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Heartbeat> heartbeat = threads.submit(() -> q.instances.heartbeat(instance, MINUTE));
                Future<Fencing> fencing =
                        threads.submit(() -> q.instances.fence(instance, new Evidence.LeaseOver(Duration.ZERO)));

                boolean alive = heartbeat.get() instanceof Heartbeat.Alive;
                boolean fenced = fencing.get() instanceof Fencing.Fenced;

                assertThat(alive).isNotEqualTo(fenced);
            }
        }
    }
}
