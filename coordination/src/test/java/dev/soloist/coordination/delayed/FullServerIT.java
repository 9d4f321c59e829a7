package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.instance.Adoption;
import dev.soloist.coordination.instance.Dropping;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Fencing;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Leaving;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FullServerIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess("--maxmemory-policy", "noeviction");

    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link());
        me = q.member();
    }

    @AfterEach
    void close() {
        q.link.call("CONFIG", "SET", "maxmemory", "0");
        q.close();
    }

    @Test
    void anArrayWhoseFirstTaskIsKnownOpensNoDoorForTheOthers() {
        NewTask known = task(TaskId.of("old"), MINUTE_LATER, OnDuplicate.REJECT, "request");
        q.queue.enqueue(me, known);
        Map<String, String> before = q.dump();
        fill();

        refused(() -> q.queue.enqueueAll(
                me, List.of(known, task("new", MINUTE_LATER, OnDuplicate.REJECT)), Durability.LOCAL));

        assertThat(q.dump()).isEqualTo(before);
        assertThat(q.queue
                        .enqueueAll(me, List.of(known, known), Durability.LOCAL)
                        .answer())
                .allMatch(answer ->
                        answer instanceof Enqueue.Accepted accepted && accepted.outcome() == Enqueue.Outcome.DUPLICATE);
    }

    @Test
    void enqueueIsRefusedWithNothingHalfWritten() {
        q.enqueue(me, "old", MINUTE_LATER);
        Map<String, String> before = q.dump();
        fill();

        for (OnDuplicate policy : OnDuplicate.values()) {
            refused(() -> q.queue.enqueue(me, task("new", When.now(), policy)));
            refused(() -> q.queue.enqueue(me, task("new", MINUTE_LATER, policy)));
        }
        refused(() -> q.queue.enqueue(me, task("old", When.now(), OnDuplicate.KEEP_EARLIEST)));
        refused(() -> q.queue.enqueue(me, task("old", MINUTE_LATER, OnDuplicate.KEEP_LATEST)));
        refused(() -> q.queue.enqueue(me, task("old", MINUTE_LATER, OnDuplicate.REPLACE)));

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void everythingElseGoesOnSoThatTheServerCanDrain() {
        q.enqueue(me, "a", When.after(Duration.ofMillis(1)));
        q.enqueue(me, "b", When.now());
        q.enqueue(me, "c", When.now());
        q.enqueue(me, "d", When.now());
        q.enqueue(me, "later", MINUTE_LATER);
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "dead", MINUTE).held(), ""), 3);
        InstanceId other = q.member();
        InstanceId fenced = q.member();
        q.instances.fence(fenced, new Evidence.Terminated());
        fill();

        await().until(() -> q.queue.move(me.value(), 10).count() == 1);
        List<ReservedTask> tasks =
                q.reserve(me, Nonce.create(), 10, Duration.ofMillis(1)).tasks();
        assertThat(tasks).hasSize(4);
        assertThat(q.queue.extend(tasks.get(0).held(), MINUTE)).isInstanceOf(Extension.Extended.class);
        assertThat(q.queue.ack(tasks.get(0).held())).isEqualTo(Ack.ACKED);
        assertThat(q.queue.ack(tasks.get(0).held())).isEqualTo(Ack.REPEATED);
        assertThat(q.queue.giveBack(me, GiveBack.retry(tasks.get(1).held(), MINUTE, "full"), 3))
                .isEqualTo(GivenBack.DELAYED);
        assertThat(q.queue.giveBack(me, GiveBack.dead(tasks.get(2).held(), "full"), 3))
                .isEqualTo(GivenBack.DEAD);
        assertThat(q.queue.cancel(tasks.get(3).id())).isEqualTo(Cancellation.IN_FLIGHT);
        await().until(() -> q.queue.sweep(me, sweep(10)).cancelled() == 1);
        assertThat(q.queue.cancel(TaskId.of("later"))).isEqualTo(Cancellation.CANCELLED);
        assertThat(q.queue.reschedule(tasks.get(1).id(), MINUTE_LATER, me))
                .isInstanceOf(Rescheduling.Rescheduled.class);
        assertThat(q.queue.requeue(TaskId.of("dead"))).isEqualTo(Requeue.REQUEUED);
        assertThat(q.instances.heartbeat(me, MINUTE)).isInstanceOf(Heartbeat.Alive.class);
        assertThat(q.instances.adopt(fenced, me)).isInstanceOf(Adoption.Adopted.class);
        assertThat(q.instances.drop(me, fenced.value())).isEqualTo(Dropping.DROPPED);
        assertThat(q.instances.fence(other, new Evidence.Terminated())).isEqualTo(new Fencing.Fenced());
        assertThat(q.instances.leave(me)).isEqualTo(Leaving.LEFT);
        assertThat(q.instances.register(InstanceId.create("new"), "new", MINUTE))
                .isInstanceOf(Registering.Registered.class);
    }

    @Test
    void repairGoesOn() {
        q.held(me, "held", MINUTE);
        q.link.call("DEL", KEYS.inFlight(JOB));
        q.enqueue(me, "overdue", When.now());
        q.link.call("DEL", KEYS.readyList(JOB, 1));
        q.enqueue(me, "later", MINUTE_LATER);
        q.link.call("DEL", KEYS.segment(JOB, me.value()));
        fill();

        int mended = 0;
        Repair step = Repair.begin(MINUTE, Duration.ofMillis(-1));
        while (!step.isFinished()) {
            Repaired repaired = q.queue.repair(step);
            mended += repaired.mended();
            step = repaired.next();
        }

        assertThat(mended).isEqualTo(3);
    }

    /** One byte is less than anything in use: every write that needs memory is refused from now on. */
    private void fill() {
        q.link.call("CONFIG", "SET", "maxmemory", "1");
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RedisUnavailable.class, e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.FULL));
    }
}
