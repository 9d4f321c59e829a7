package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that count only when a replica has them. */
class ReplicatedEnqueueIT {

    private static final Durability.Replicated ONE = new Durability.Replicated(1, Duration.ofMillis(300));

    private ReplicatedRedis redis;
    private FaultyLink network;
    private QueueUnderTest queue;
    private InstanceId member;

    @BeforeEach
    void connect() {
        redis = new ReplicatedRedis();
        network = new FaultyLink(redis.primary.port());
        queue = new QueueUnderTest(
                RedisProcess.connected(RedisLink.open(RedisSettings.of(network.address(), Credentials.NONE, "test"))));
        member = queue.member();
    }

    @AfterEach
    void disconnect() {
        redis.replica.pause(false);
        queue.close();
        network.close();
        redis.close();
    }

    private Acknowledged<Enqueue> enqueue(NewTask task) {
        return queue.queue.enqueue(member, task, ONE);
    }

    private static NewTask keyed(String id, OnDuplicate policy) {
        return task(TaskId.of(id), MINUTE_LATER, policy, "key-of-" + id);
    }

    @Test
    void aRemovalCountsOnlyWhenAReplicaHasItAlsoWhenItIsRepeated() {
        ReservedTask first = queue.held(member, "a", MINUTE);
        assertThat(queue.queue.ack(first.held(), ONE)).isEqualTo(new Acknowledged<>(Ack.ACKED, true));
        assertThat(queue.queue.ack(first.held(), ONE)).isEqualTo(new Acknowledged<>(Ack.REPEATED, true));
        assertThat(queue.queue.ack(first.held(), Durability.LOCAL)).isEqualTo(new Acknowledged<>(Ack.REPEATED, true));
        ReservedTask second = queue.held(member, "b", MINUTE);
        redis.replica.pause(true);

        assertThat(queue.queue.ack(second.held(), ONE)).isEqualTo(new Acknowledged<>(Ack.ACKED, false));
        assertThat(queue.queue.ack(second.held(), ONE)).isEqualTo(new Acknowledged<>(Ack.REPEATED, false));
        redis.replica.pause(false);
        Awaitility.await()
                .until(() -> queue.queue.ack(second.held(), ONE).equals(new Acknowledged<>(Ack.REPEATED, true)));
    }

    @Test
    void anExtensionTellsWhetherAReplicaFollows() {
        ReservedTask task = queue.held(member, "a", MINUTE);
        assertThat(queue.queue.extend(task.held(), MINUTE, ONE).enough()).isTrue();
        redis.replica.pause(true);

        var alone = queue.queue.extend(task.held(), MINUTE, ONE);

        assertThat(alone.answer()).isInstanceOf(Extension.Extended.class);
        assertThat(alone.enough()).isFalse();
    }

    @Test
    void f01_tasksThatWereAcknowledgedAreAllThereAfterAPromotion() {
        var acknowledged = new ArrayList<String>();
        var others = new ArrayList<String>();
        for (int i = 0; i < 310; i++) {
            if (i == 300) {
                // From here on nothing reaches the replica, and the primary accepts all the same.
                redis.network.hang();
            }
            var answer = enqueue(keyed("t" + i, OnDuplicate.REJECT));
            assertThat(answer.answer()).isInstanceOf(Enqueue.Accepted.class);
            (answer.enough() ? acknowledged : others).add("t" + i);
        }
        assertThat(acknowledged).hasSize(300);

        redis.promote();

        try (var link = redis.replica.link()) {
            var survivors = DelayedQueue.of(new ScriptRunner(link), KEYS, JOB);
            assertThat(acknowledged)
                    .allSatisfy(
                            id -> assertThat(survivors.inspect(TaskId.of(id))).isPresent());
            assertThat(others)
                    .as("what the primary alone had is forgotten, or this test proves nothing")
                    .allSatisfy(
                            id -> assertThat(survivors.inspect(TaskId.of(id))).isEmpty());
        }
    }

    @Test
    void aRepeatOfWhatIsWaitingIsNotFalselyAcknowledged() {
        var once = keyed("once", OnDuplicate.REJECT);
        redis.replica.pause(true);
        network.cutBefore("\r\nWAIT\r\n");
        assertThatThrownBy(() -> enqueue(once)).isInstanceOf(RedisUnavailable.class);

        var repeated = enqueue(once);

        assertThat(repeated.answer())
                .isInstanceOfSatisfying(
                        Enqueue.Accepted.class,
                        accepted -> assertThat(accepted.outcome()).isEqualTo(Enqueue.Outcome.DUPLICATE));
        assertThat(repeated.enough()).isFalse();
        redis.replica.pause(false);
        assertThat(enqueue(once).enough()).isTrue();
    }

    @Test
    void aRepeatOfWhatIsDoneIsNotFalselyAcknowledged() {
        var once = task(TaskId.of("once"), When.now(), OnDuplicate.REJECT, "key");
        redis.replica.pause(true);
        queue.queue.enqueue(member, once);
        queue.queue.ack(queue.reserve(member, 1).tasks().getFirst().held());

        var repeated = enqueue(once);

        assertThat(repeated.answer())
                .isInstanceOfSatisfying(
                        Enqueue.Accepted.class,
                        accepted -> assertThat(accepted.outcome()).isEqualTo(Enqueue.Outcome.DUPLICATE));
        assertThat(repeated.enough()).isFalse();
    }

    @Test
    void whatIsMergedIsNotFalselyAcknowledged() {
        enqueue(task(TaskId.of("once"), MINUTE_LATER, OnDuplicate.KEEP_EARLIEST, "first"));
        redis.replica.pause(true);

        var kept = enqueue(
                task(TaskId.of("once"), When.after(MINUTE.multipliedBy(2)), OnDuplicate.KEEP_EARLIEST, "second"));
        var again = enqueue(
                task(TaskId.of("once"), When.after(MINUTE.multipliedBy(2)), OnDuplicate.KEEP_EARLIEST, "second"));

        assertThat(List.of(kept.enough(), again.enough())).containsOnly(false);
    }

    @Test
    void whatIsRefusedWaitsForNobody() {
        enqueue(keyed("once", OnDuplicate.REJECT));
        redis.replica.pause(true);
        long sent = System.nanoTime();
        var patient = new Durability.Replicated(1, Duration.ofSeconds(30));

        var refused = queue.queue.enqueue(
                member, task(TaskId.of("once"), MINUTE_LATER, OnDuplicate.REJECT, "other"), patient);

        assertThat(refused.answer()).isEqualTo(new Enqueue.Refused(Enqueue.Reason.EXISTS));
        assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(patient.timeout());
    }

    @Test
    void manyCallersWaitTogetherAndNotForEachOther() throws InterruptedException {
        redis.replica.pause(true);
        long sent = System.nanoTime();

        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 80)
                    .forEach(i -> callers.submit(() -> assertThat(
                                    enqueue(keyed("t" + i, OnDuplicate.REJECT)).enough())
                            .isFalse()));
        }

        // One round that was under way and one for all the others, were the machine quick; one after the other, 80.
        assertThat(Duration.ofNanos(System.nanoTime() - sent))
                .isLessThan(ONE.timeout().multipliedBy(40));
        assertThat(queue.queue.counts(List.of(member.value())).pending()).isEqualTo(80);
    }
}
