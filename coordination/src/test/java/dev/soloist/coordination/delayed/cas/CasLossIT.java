package dev.soloist.coordination.delayed.cas;

import static dev.soloist.coordination.delayed.cas.CasWorld.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaRelease;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the server loses: an element between two lists, all of its indexes, its newest writes. */
class CasLossIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn(PikaRelease.V4_0_1);

    private RedisLink link;
    private CasWorld world;

    @BeforeEach
    void open() {
        link = PIKA.link();
        world = new CasWorld(link::callBytes, "loss");
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void anElementThatIsLostBetweenTwoListsComesBackBecauseItsRecordStillWaits() throws Exception {
        world.enqueued("a", When.now());
        PIKA.crashInTheMiddleOfTheNextMultiKeyWrite();
        assertThatThrownBy(() -> world.reserved(world.whole, world.me, Nonce.create()))
                .isInstanceOf(RedisUnavailable.class);
        RedisProcess.connected(link);
        assertThat(world.commands.length(world.keys.ready())).isZero();
        assertThat(world.commands.length(world.keys.processing(world.me))).isZero();

        world.carryOn("an element lost between two lists", List.of("a"));

        assertThat(world.deliveries).containsEntry("a", 1);
    }

    @Test
    void anElementThatWasTakenByACallThatBrokeOffComesAtTheInstancesNextCall() throws Exception {
        world.enqueued("a", When.now());
        PIKA.breakAfter(commandsUntil("rpoplpush"));
        assertThatThrownBy(() -> world.reserved(world.whole, world.me, Nonce.create()))
                .isInstanceOf(RedisUnavailable.class);
        RedisProcess.connected(link);
        assertThat(world.commands.length(world.keys.processing(world.me))).isEqualTo(1);

        assertThat(world.reserved(world.whole, world.me, Nonce.create()))
                .singleElement()
                .satisfies(task -> assertThat(task.attempt()).isEqualTo(1));
    }

    @Test
    void nothingThatARecordKnowsIsLostWithTheIndexes() {
        for (String id : List.of("a", "b", "c")) {
            world.enqueued(id, When.after(Duration.ofMillis(100)));
        }
        Held held = world.held("d");
        world.whole.giveBack(world.me, GiveBack.dead(world.held("e"), "no"), CasWorld.MAX_ATTEMPTS);
        for (String key : List.of(
                world.keys.index(),
                world.keys.inFlight(),
                world.keys.dead(),
                world.keys.ready(),
                world.keys.segment(world.me.value()))) {
            world.commands.delete(key);
        }
        assertThat(held.id()).isEqualTo(TaskId.of("d"));

        assertThat(repairAll()).isPositive();
        assertThat(world.whole.dead(0, 10)).hasSize(1);
        world.carryOn("every index lost", List.of("a", "b", "c", "d"));

        assertThat(world.deliveries)
                .containsOnlyKeys("a", "b", "c", "d")
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
        assertThat(repairAll()).isZero();
    }

    @Test
    void aTaskThatANewPrimaryStillKnowsComesAgainAndOneThatItNeverKnewIsGone() throws Exception {
        Held held = world.held("known");
        PIKA.replicate();
        assertThat(world.whole.ack(held)).isEqualTo(Ack.ACKED);
        world.enqueued("unknown", When.now());

        PIKA.failOver();
        RedisProcess.connected(link);
        world.carryOn("a new primary", List.of("known"));

        // At least once: the acknowledgement is among the lost writes. The other was accepted and is lost with them.
        assertThat(world.deliveries).containsEntry("known", 1);
        assertThat(world.state("unknown")).isEqualTo("ABSENT");
    }

    @Test
    void anEmptiedServerTakesTheRepeatOfARequestAsANewOne() {
        world.enqueued("a", When.now());
        world.commands.delete(world.keys.record(TaskId.of("a")));

        assertThat(world.whole.enqueue(world.me, task("a", When.now(), OnDuplicate.REJECT, "first request of a")))
                .isInstanceOfSatisfying(
                        Enqueue.Accepted.class,
                        accepted -> assertThat(accepted.outcome()).isEqualTo(Enqueue.Outcome.CREATED));
        world.carryOn("an emptied server", List.of("a"));
        assertThat(world.deliveries).containsEntry("a", 1);
    }

    private int commandsUntil(String name) {
        var other = new CasWorld(link::callBytes, "count");
        other.enqueued("a", When.now());
        PIKA.forgetCommands();
        other.reserved(other.whole, other.me, Nonce.create());
        return new ArrayList<>(PIKA.commands()).indexOf(name) + 1;
    }

    private int repairAll() {
        int mended = 0;
        Repair step = Repair.begin(CasWorld.VISIBILITY, Duration.ofMillis(1)).owning(List.of(world.me.value()));
        while (!step.isFinished()) {
            var repaired = world.whole.repair(step);
            mended += repaired.mended();
            step = repaired.next();
        }
        return mended;
    }
}
