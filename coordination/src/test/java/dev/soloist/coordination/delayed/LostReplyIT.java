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

import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.instance.Adoption;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LostReplyIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private QueueUnderTest q;
    private InstanceId me;
    private FaultyLink proxy;
    private QueueUnderTest broken;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link());
        me = q.member();
        // A lost NOSCRIPT would be no execution at all.
        q.loadScripts();
        proxy = new FaultyLink(REDIS.port());
        var settings = RedisSettings.of(proxy.address(), Credentials.NONE, "through-proxy");
        broken = new QueueUnderTest(RedisProcess.connected(RedisLink.open(settings)));
    }

    @AfterEach
    void close() {
        broken.close();
        proxy.close();
        q.close();
    }

    @Test
    void anEnqueueRepeatedAfterALostReplyIsStoredOnce() {
        NewTask task = task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request");
        executedButUnanswered(() -> broken.queue.enqueue(me, task));

        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);

        assertThat(q.list(1)).containsExactly("1a");
    }

    @Test
    void anArrayRepeatedAfterALostReplyIsStoredOnce() {
        List<NewTask> tasks = List.of(
                task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request/0"),
                task(TaskId.of("b"), When.now(), OnDuplicate.REJECT, "request/1"));
        executedButUnanswered(() -> broken.queue.enqueueAll(me, tasks, Durability.LOCAL));

        assertThat(q.queue.enqueueAll(me, tasks, Durability.LOCAL).answer())
                .allMatch(answer ->
                        answer instanceof Enqueue.Accepted accepted && accepted.outcome() == Outcome.DUPLICATE);

        assertThat(q.list(1)).containsExactly("1a", "1b");
    }

    @Test
    void anEnqueueRepeatedAfterTheTaskHasRunDoesNotRunItAgain() {
        NewTask task = task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request");
        executedButUnanswered(() -> broken.queue.enqueue(me, task));
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());

        assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
    }

    @Test
    void aMergeRepeatedAfterALostReplyIsOneMerge() {
        q.enqueue(me, "a", MINUTE_LATER);
        NewTask postponed = task(TaskId.of("a"), When.after(Duration.ofMinutes(2)), OnDuplicate.KEEP_LATEST, "request");
        executedButUnanswered(() -> broken.queue.enqueue(me, postponed));
        Map<String, String> before = q.dump();

        assertThat(q.accepted(me, postponed).outcome()).isEqualTo(Outcome.DUPLICATE);

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void aMoveWhoseReplyIsLostHasMovedAndIsNotRepeatedByItself() {
        q.link.call("ZADD", KEYS.segment(JOB, me.value()), "1", "1a");
        executedButUnanswered(() -> broken.queue.move(me.value(), 10));

        assertThat(q.list(1)).containsExactly("1a");
        assertThat(q.queue.move(me.value(), 10).count()).isZero();
    }

    @Test
    void aReservationRepeatedAfterALostReplyBurnsNoAttempt() {
        q.enqueue(me, "a", When.now());
        Nonce nonce = Nonce.create();
        executedButUnanswered(() -> broken.reserve(me, nonce, 5, MINUTE));

        assertThat(q.reserve(me, nonce, 5, MINUTE).tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.attempt()).isEqualTo(1));
    }

    @Test
    void anAckRepeatedAfterALostReplyIsToldThatItCounted() {
        Held held = q.held(me, "a", MINUTE).held();
        executedButUnanswered(() -> broken.queue.ack(held));

        assertThat(q.queue.ack(held)).isEqualTo(Ack.REPEATED);
    }

    @Test
    void aGiveBackRepeatedAfterALostReplyIsToldThatItCounted() {
        Held held = q.held(me, "a", MINUTE).held();
        executedButUnanswered(() -> broken.queue.giveBack(me, GiveBack.free(held, MINUTE, ""), 3));

        assertThat(q.queue.giveBack(me, GiveBack.free(held, MINUTE, ""), 3)).isEqualTo(GivenBack.REPEATED);

        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().attempts()).isZero();
    }

    @Test
    void aSweepWhoseReplyIsLostHasTakenBackOnce() {
        q.held(me, "a", Duration.ofMillis(1));
        await().until(() -> q.zset(KEYS.inFlight(JOB)).get("a") < q.link.now().toEpochMilli());
        executedButUnanswered(() -> broken.queue.sweep(me, sweep(10)));

        assertThat(q.queue.sweep(me, sweep(10)).delayed()).isZero();
        assertThat(q.field(KEYS.attempts(JOB), "a")).startsWith("P|1|1|");
    }

    @Test
    void aCancellationRepeatedAfterALostReplyIsToldAlike() {
        q.enqueue(me, "a", MINUTE_LATER);
        executedButUnanswered(() -> broken.queue.cancel(TaskId.of("a")));

        assertThat(q.queue.cancel(TaskId.of("a"))).isEqualTo(Cancellation.CANCELLED);
        // The call broke off before the entry was tidied: it is a stale hint that nobody is handed.
        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void aRequeueWhoseReplyIsLostIsDoneOnce() {
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "a", MINUTE).held(), ""), 3);
        executedButUnanswered(() -> broken.queue.requeue(TaskId.of("a")));

        assertThat(q.queue.requeue(TaskId.of("a"))).isEqualTo(Requeue.NOT_DEAD);
        assertThat(q.list(1)).containsExactly("1a");
    }

    @Test
    void aRegistrationRepeatedAfterALostReplyIsOneInstance() {
        InstanceId instance = InstanceId.create("pod-x");
        executedButUnanswered(() -> broken.instances.register(instance, "x", MINUTE));

        assertThat(q.instances.register(instance, "x", MINUTE)).isEqualTo(new Registering.Registered(List.of()));
    }

    @Test
    void anAdoptionWhoseReplyIsLostIsSeenInTheHeirsHeartbeat() {
        InstanceId heir = q.member();
        q.instances.fence(me, new Evidence.Terminated());
        executedButUnanswered(() -> broken.instances.adopt(me, heir));

        assertThat(q.instances.adopt(me, heir)).isEqualTo(new Adoption.Gone());
        assertThat(q.instances.heartbeat(heir, MINUTE))
                .isInstanceOfSatisfying(
                        Heartbeat.Alive.class,
                        alive -> assertThat(alive.segments()).containsExactly(heir.value(), me.value()));
    }

    @Test
    void f04_aReservationThatTimedOutOnAFrozenServerLosesNoTask() {
        q.enqueue(me, "a", When.now());
        var settings = REDIS.settings().withCommandTimeout(Duration.ofMillis(300));
        try (var hasty = new QueueUnderTest(RedisProcess.connected(RedisLink.open(settings)))) {
            Nonce nonce = Nonce.create();
            REDIS.pause(true);
            try {
                assertThatThrownBy(() -> hasty.reserve(me, nonce, 1, MINUTE))
                        .isInstanceOfSatisfying(
                                RedisUnavailable.class,
                                e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.TIMEOUT));
            } finally {
                REDIS.pause(false);
            }

            // The command ran when the server thawed, for a caller that had given up; the same nonce finds it.
            ReservedTask task = await().ignoreExceptions()
                    .until(() -> hasty.reserve(me, nonce, 1, MINUTE).tasks(), tasks -> tasks.size() == 1)
                    .getFirst();
            assertThat(task.attempt()).isEqualTo(1);
            assertThat(hasty.queue.ack(task.held())).isEqualTo(Ack.ACKED);
        }
    }

    private void executedButUnanswered(Runnable call) {
        proxy.dropReplies();
        assertThatThrownBy(call::run).isInstanceOf(RedisUnavailable.class);
        assertThat(proxy.droppedReplies()).isPositive();
        proxy.heal();
    }
}
