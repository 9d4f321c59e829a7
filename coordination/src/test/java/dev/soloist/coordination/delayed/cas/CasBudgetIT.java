package dev.soloist.coordination.delayed.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many round trips a call costs, without those that ask for the instance's membership: two before, and after an
 * enqueue two more. No call reads what grows with the backlog.
 */
class CasBudgetIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final int BACKLOG = 1000;

    private RedisLink link;
    private CasWorld world;

    @BeforeEach
    void open() {
        link = PIKA.link();
        world = new CasWorld(link::callBytes, "budget");
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void anEnqueueTakesSeven() {
        assertThat(cost(queue -> queue.enqueue(world.me, CasWorld.task("a", minute(), OnDuplicate.REJECT, "r"))))
                .isEqualTo(7);
        assertThat(cost(queue -> queue.enqueue(world.me, CasWorld.task("b", When.now(), OnDuplicate.REJECT, "r"))))
                .isEqualTo(7);
    }

    @Test
    void anEmptyQueueIsPolledInFour() {
        assertThat(cost(queue -> world.reserved(queue, world.me, Nonce.create())))
                .isEqualTo(4);
    }

    @Test
    void aReservationTakesTwoPerTaskAndTwoPerTenAndAFewMore() {
        for (int i = 0; i < 5; i++) {
            world.enqueued("t" + i, When.now());
        }

        assertThat(cost(queue -> world.reserved(queue, world.me, Nonce.create())))
                .isEqualTo(2 * 5 + 2 + 6);
    }

    @Test
    void anAcknowledgementTakesTwoPerTaskAndThreePerBatch() {
        for (int i = 0; i < 5; i++) {
            world.enqueued("t" + i, When.now());
        }
        List<Held> held = world.reserved(world.whole, world.me, Nonce.create()).stream()
                .map(ReservedTask::held)
                .toList();

        assertThat(cost(queue -> queue.ack(held))).isEqualTo(2 * 5 + 3);
    }

    @Test
    void aMoveOfManyTakesFive() {
        for (int i = 0; i < 50; i++) {
            world.enqueued("t" + i, When.after(Duration.ofMillis(1)));
        }
        long last = world.due("t49").toEpochMilli();
        Awaitility.await().until(() -> world.commands.time() > last);

        assertThat(cost(queue -> queue.move(world.me.value(), 500))).isEqualTo(5);
        assertThat(cost(queue -> queue.move(world.me.value(), 500))).isEqualTo(2);
    }

    @Test
    void aSweepThatFindsNothingTakesThree() {
        assertThat(cost(queue -> queue.sweep(world.me, CasWorld.sweep()))).isEqualTo(3);
    }

    @Test
    void noCallCostsMoreBesideABacklogAndNoneReadsByScoreOrTheWholeOfAKey() {
        for (int i = 0; i < BACKLOG; i++) {
            world.enqueued("later" + i, minute());
        }
        PIKA.forgetCommands();

        assertThat(cost(queue -> queue.enqueue(world.me, CasWorld.task("a", When.now(), OnDuplicate.REJECT, "r"))))
                .isEqualTo(7);
        assertThat(cost(queue -> queue.move(world.me.value(), 500))).isEqualTo(2);
        // One more than for a full batch: the list is found to be empty.
        assertThat(cost(queue -> world.reserved(queue, world.me, Nonce.create())))
                .isEqualTo(2 + 2 + 6 + 1);
        assertThat(cost(queue -> queue.counts(List.of(world.me.value())))).isLessThanOrEqualTo(9);
        assertThat(cost(queue -> queue.sweep(world.me, CasWorld.sweep()))).isEqualTo(3);
        assertThat(Set.copyOf(PIKA.commands()))
                .doesNotContain("zrangebyscore", "zcount", "keys", "hgetall", "lrem", "scan", "zremrangebyscore");
    }

    private int cost(Consumer<DelayedQueue> call) {
        Breaking wire = world.dyingAfter(Integer.MAX_VALUE);
        call.accept(world.over(wire));
        return wire.sent();
    }

    private static When minute() {
        return When.after(Duration.ofMinutes(1));
    }
}
