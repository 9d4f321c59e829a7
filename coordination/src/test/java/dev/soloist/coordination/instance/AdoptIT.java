package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AdoptIT {

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
    void theSegmentsChangeHandsAndTheDeadInstanceIsGone() {
        InstanceId dead = q.member();
        q.enqueue(dead, "a", MINUTE_LATER);
        q.held(dead, "held", MINUTE);
        q.instances.fence(dead, new Evidence.Terminated());

        assertThat(q.instances.adopt(dead, me)).isEqualTo(new Adoption.Adopted(List.of(dead.value())));

        assertThat(q.instances.segments(me)).containsExactly(me.value(), dead.value());
        assertThat(q.instances.list()).extracting(InstanceView::id).containsExactly(me);
        assertThat(q.zset(KEYS.instanceLeases(JOB))).containsOnlyKeys(me.value());
        assertThat(q.hash(KEYS.reservations(JOB))).isEmpty();
        assertThat(q.segment(dead)).containsOnlyKeys("1a");
    }

    @Test
    void onlyAFencedInstanceIsAdoptedAndOnlyByALivingOne() {
        InstanceId other = q.member();
        assertThat(q.instances.adopt(other, me)).isEqualTo(new Adoption.NotFenced());
        q.instances.fence(other, new Evidence.Terminated());
        assertThat(q.instances.adopt(other, other)).isEqualTo(new Adoption.NotLiving());
        assertThat(q.instances.adopt(other, InstanceId.create("nobody"))).isEqualTo(new Adoption.NotLiving());

        assertThat(q.instances.segments(other)).containsExactly(other.value());
    }

    @Test
    void ofTwoAdoptersOneWinsAndTheOtherIsTold() throws Exception {
        InstanceId rival = q.member();
        for (int i = 0; i < 100; i++) {
            InstanceId dead = q.member();
            q.instances.fence(dead, new Evidence.Terminated());
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Adoption> mine = threads.submit(() -> q.instances.adopt(dead, me));
                Future<Adoption> theirs = threads.submit(() -> q.instances.adopt(dead, rival));

                assertThat(List.of(mine.get(), theirs.get()))
                        .containsExactlyInAnyOrder(new Adoption.Adopted(List.of(dead.value())), new Adoption.Gone());
            }
        }
        assertThat(q.instances.segments(me).size() + q.instances.segments(rival).size())
                .isEqualTo(102);
    }

    @Test
    void anAdopterThatDiesPassesOnWhatItAdopted() {
        InstanceId first = q.member();
        InstanceId second = q.member();
        q.enqueue(first, "a", When.after(Duration.ofMillis(1)));
        q.instances.fence(first, new Evidence.Terminated());
        q.instances.adopt(first, second);
        q.instances.fence(second, new Evidence.Terminated());

        assertThat(q.instances.adopt(second, me))
                .isEqualTo(new Adoption.Adopted(List.of(second.value(), first.value())));

        await().until(() -> q.instances.segments(me).stream()
                .anyMatch(segment -> q.queue.move(segment, 10).count() == 1));
        assertThat(q.reserve(me, 1).tasks()).hasSize(1);
    }

    @Test
    void anAdoptedSegmentIsDroppedOnceItIsEmptyAndTheOwnOneNever() {
        InstanceId dead = q.member();
        q.enqueue(dead, "a", MINUTE_LATER);
        q.instances.fence(dead, new Evidence.Terminated());
        q.instances.adopt(dead, me);

        assertThat(q.instances.drop(me, dead.value())).isEqualTo(Dropping.KEPT);
        assertThat(q.instances.drop(me, me.value())).isEqualTo(Dropping.KEPT);
        assertThat(q.instances.drop(me, "not-mine")).isEqualTo(Dropping.KEPT);
        q.queue.cancel(TaskId.of("a"));
        assertThat(q.instances.drop(me, dead.value())).isEqualTo(Dropping.DROPPED);

        assertThat(q.instances.segments(me)).containsExactly(me.value());
        assertThat(q.instances.drop(me, dead.value())).isEqualTo(Dropping.KEPT);
    }

    @Test
    void adoptingTakesNoLongerForManyTasksThanForOne() {
        InstanceId dead = q.member();
        String segment = KEYS.segment(JOB, dead.value());
        q.link.call(
                "EVAL", "for i = 1, 200000 do redis.call('ZADD', KEYS[1], i, '1t' .. i) end return {1}", "1", segment);
        q.instances.fence(dead, new Evidence.Terminated());
        q.link.call("CONFIG", "SET", "slowlog-log-slower-than", "5000");
        q.link.call("SLOWLOG", "RESET");

        q.instances.adopt(dead, me);

        assertThat(q.link.call("SLOWLOG", "LEN").getFirst()).isEqualTo(0L);
        assertThat(q.instances.segments(me)).contains(dead.value());
        q.link.call("CONFIG", "SET", "slowlog-log-slower-than", "10000");
    }
}
