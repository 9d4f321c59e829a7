package dev.soloist.coordination.delayed.stream;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.stream.StreamUnderTest.STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StreamIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private StreamUnderTest s;
    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        s = new StreamUnderTest(REDIS.link());
        q = s.q;
        me = q.member();
    }

    @AfterEach
    void close() {
        s.close();
    }

    @Test
    void whatIsHeldIsPendingWithItsHolderAndWhatWasHandledStays() {
        var held = s.held(me, MINUTE, "a", "b");

        assertThat(s.pending().values()).containsExactly(me.value(), me.value());
        assertThat(s.entries().values()).containsExactly("a", "b");

        assertThat(q.queue.ack(held.getFirst().held())).isEqualTo(Ack.ACKED);

        assertThat(s.pending()).hasSize(1);
        assertThat(s.entries().values()).containsExactly("a", "b");
        var state = s.stream().state();
        assertThat(state.entries()).isEqualTo(2);
        assertThat(state.pending()).isEqualTo(1);
        assertThat(state.consumers()).isEqualTo(1);
        assertThat(state.losses()).isZero();
    }

    @Test
    void whatIsGivenBackLeavesTheStreamAndIsEnteredAnewWhenItGoesOutAgain() {
        var first = s.held(me, MINUTE, "a").getFirst();
        assertThat(q.queue.giveBack(me, GiveBack.retry(first.held(), Duration.ZERO, "no"), 3))
                .isEqualTo(GivenBack.READY);
        assertThat(s.entries()).isEmpty();
        assertThat(s.pending()).isEmpty();

        var second = q.reserve(me, 1).tasks().getFirst();

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(s.entries().values()).containsExactly("a");
        assertThat(s.pending()).hasSize(1);
    }

    @Test
    void whatWasSweptIsInTheStreamOnceWhenItGoesOutAgain() {
        s.held(me, Duration.ofMillis(1), "a");
        await().until(() -> q.queue.sweep(me, sweep(10)).delayed() == 1);
        await().until(() -> q.queue.move(me.value(), 10).count() == 1);

        var again = q.reserve(q.member(), 1).tasks().getFirst();

        assertThat(s.entries()).hasSize(1);
        assertThat(s.pending()).hasSize(1);
        assertThat(q.queue.ack(again.held())).isEqualTo(Ack.ACKED);
        assertThat(s.pending()).isEmpty();
        assertThat(q.hash(KEYS.streamEntries(JOB))).isEmpty();
    }

    @Test
    void aDeadLetterLeavesNothingPending() {
        s.held(me, Duration.ofMillis(1), "a");
        await().until(() -> q.queue
                        .sweep(me, new dev.soloist.coordination.delayed.SweepRequest(10, QueueUnderTest.BACKOFF, 1))
                        .dead()
                == 1);

        await().untilAsserted(() -> {
            q.queue.sweep(me, sweep(10));
            assertThat(s.pending()).isEmpty();
        });
        assertThat(s.entries()).isEmpty();
        assertThat(q.hash(KEYS.streamEntries(JOB))).isEmpty();
    }

    @Test
    void r05_afterFiftyRolloutsThereAreNoMoreConsumersThanPodsAndTwo() {
        int pods = 3;
        var living = new ArrayList<InstanceId>();
        living.add(me);
        IntStream.range(1, pods).forEach(_ -> living.add(q.member()));
        for (int rollout = 0; rollout < 50; rollout++) {
            for (int pod = 0; pod < pods; pod++) {
                InstanceId former = living.get(pod);
                s.handled(former, "t" + rollout + "-" + pod);
                InstanceId fresh = q.member();
                living.set(pod, fresh);
                // Every other one resigns; the rest is killed, found dead and adopted.
                if (rollout % 2 == 0) {
                    q.instances.leave(former);
                } else {
                    q.instances.fence(former, new Evidence.Terminated());
                }
                q.instances.adopt(former, fresh);
            }
            q.queue.sweep(living.getFirst(), sweep(10));
            assertThat(s.consumers()).hasSizeLessThanOrEqualTo(pods + 2);
        }
        assertThat(s.entries()).hasSize(50 * pods);
        assertThat(s.pending()).isEmpty();
    }

    @Test
    void r06_whatIsPendingWithADeadPodIsTakenOverAndFinishedAndItsConsumerIsRemovedOnlyThen() {
        InstanceId dead = q.member();
        var ids = IntStream.range(0, 10).mapToObj(i -> "t" + i).toArray(String[]::new);
        assertThat(s.held(dead, Duration.ofSeconds(2), ids)).hasSize(10);
        // While nobody is known to be dead nothing is taken over, however often somebody looks.
        q.queue.sweep(me, sweep(10));
        assertThat(s.consumers()).containsExactly(dead.value());

        q.instances.fence(dead, new Evidence.Terminated());
        q.instances.adopt(dead, me);
        await().untilAsserted(() -> {
            assertThat(s.pending()).as("never dropped before it is due").hasSize(10);
            q.queue.sweep(me, sweep(10));
            assertThat(s.pending().values()).containsOnly(me.value());
        });
        assertThat(s.consumers()).containsExactly(me.value());

        var handled = new ArrayList<String>();
        await().untilAsserted(() -> {
            q.queue.sweep(me, sweep(10));
            q.queue.move(me.value(), 100);
            for (ReservedTask task : q.reserve(me, 10).tasks()) {
                assertThat(task.attempt()).isEqualTo(2);
                assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
                handled.add(task.id().text());
            }
            assertThat(handled).containsExactlyInAnyOrder(ids);
        });
        assertThat(s.pending()).isEmpty();
        assertThat(s.entries()).hasSize(10);
    }

    @Test
    void r06_aConsumerWithSomethingPendingIsNotRemovedEvenIfNobodyTakesOver() {
        InstanceId dead = q.member();
        s.held(dead, MINUTE, "a");
        q.instances.fence(dead, new Evidence.Terminated());
        q.instances.adopt(dead, me);

        q.queue.sweepToShared(sweep(10));

        assertThat(s.consumers()).containsExactly(dead.value());
        assertThat(s.pending().values()).containsExactly(dead.value());
    }

    @Test
    void f13_aStreamThatIsDeletedUnderLoadIsMadeAnewAndNoTaskIsLost() {
        s.handled(me, "before");
        var held = s.held(me, MINUTE, "held");
        q.enqueue(me, "waiting", When.now());
        q.link.call("DEL", STREAM);

        assertThat(q.reserve(me, 5).tasks())
                .extracting(task -> task.id().text())
                .containsExactly("waiting");
        assertThat(q.queue.ack(held.getFirst().held())).isEqualTo(Ack.ACKED);

        var state = s.stream().state();
        assertThat(state.losses()).isEqualTo(1);
        assertThat(state.lastLoss()).isNotNull();
        assertThat(state.told()).isZero();
        assertThat(s.stream().told(1).told()).isEqualTo(1);
        assertThat(s.pending()).hasSize(1);
        assertThat(s.entries().values()).containsExactly("waiting");
    }

    @Test
    void f13_aGroupThatIsDestroyedIsMadeAnewBehindWhatWasHandled() {
        s.handled(me, "a", "b");
        q.link.call("XGROUP", "DESTROY", STREAM, "soloist");

        assertThat(s.held(me, MINUTE, "c")).hasSize(1);

        assertThat(s.pending()).hasSize(1);
        assertThat(s.entries().values()).containsExactly("a", "b", "c");
        assertThat(s.stream().state().losses()).isEqualTo(1);
    }

    @Test
    void whatTheUpkeepFindsWhenTheStreamIsGoneIsNothing() {
        q.queue.sweep(me, sweep(10));
        q.queue.purge();
        assertThat(s.stream().state()).isEqualTo(new StreamState(0, null, 0, 0, 0, null, 0));
        s.handled(me, "a");
        q.link.call("XGROUP", "DESTROY", STREAM, "soloist");

        q.queue.sweep(me, sweep(10));
        q.queue.purge();

        assertThat(s.entries()).hasSize(1);
    }

    @Test
    void anEntryThatSomebodyElseAddsIsNobodysTaskAndStopsNothing() {
        s.handled(me, "a");
        q.link.call("XADD", STREAM, "*", "foreign", "entry");

        var held = s.held(me, MINUTE, "b");

        assertThat(q.queue.ack(held.getFirst().held())).isEqualTo(Ack.ACKED);
        assertThat(s.pending()).isEmpty();
    }

    @Test
    void listAndStreamMayBeUsedAtATimeAndNothingIsLostOrDoubled() {
        var list = new QueueUnderTest(q.link, QueueLimits.DEFAULT, Transport.LIST);
        for (int i = 0; i < 6; i++) {
            list.enqueue(me, "t" + i, When.now());
        }
        var byStream = q.reserve(me, 2).tasks();
        var byList = list.reserve(me, 2).tasks();
        // Each ends what the other handed out.
        assertThat(list.queue.ack(byStream.getFirst().held())).isEqualTo(Ack.ACKED);
        assertThat(list.queue.giveBack(me, GiveBack.retry(byStream.getLast().held(), Duration.ZERO, ""), 3))
                .isEqualTo(GivenBack.READY);
        byList.forEach(task -> assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED));
        assertThat(s.pending()).hasSize(2);

        await().untilAsserted(() -> {
            q.queue.sweep(me, sweep(10));
            assertThat(s.pending()).isEmpty();
        });
        assertThat(s.entries().values()).as("what was handled").containsExactly("t0");
        assertThat(q.hash(KEYS.streamEntries(JOB))).isEmpty();
        assertThat(q.reserve(me, 10).tasks())
                .extracting(task -> task.id().text())
                .containsExactlyInAnyOrder("t1", "t4", "t5");
    }

    @Test
    void nothingFromTheFirstPendingEntryOnIsTrimmedHoweverOldOrMany() {
        try (var brief = new StreamUnderTest(REDIS.link(), new Transport.Stream(Duration.ofMillis(1), 1))) {
            var ids = IntStream.range(0, 250).mapToObj(i -> "a" + i).toList();
            for (int from = 0; from < ids.size(); from += 50) {
                brief.handled(me, ids.subList(from, from + 50).toArray(String[]::new));
            }
            var held = brief.held(me, MINUTE, "held").getFirst();
            brief.handled(me, "b", "c");
            brief.q.queue.purge();
            await().untilAsserted(() -> {
                brief.q.queue.purge();
                assertThat(brief.entries().values()).containsExactly("held", "b", "c");
            });

            assertThat(brief.q.queue.ack(held.held())).isEqualTo(Ack.ACKED);
            brief.q.queue.purge();

            assertThat(brief.entries().values()).containsExactly("c");
        }
    }

    @Test
    void aBusyStreamIsTrimmedAsFastAsItGrows() {
        try (var small = new StreamUnderTest(REDIS.link(), new Transport.Stream(Duration.ofHours(1), 100))) {
            for (int i = 0; i < 40; i++) {
                int round = i;
                small.handled(
                        me,
                        IntStream.range(0, 20)
                                .mapToObj(n -> "t" + round + "-" + n)
                                .toArray(String[]::new));
            }
            assertThat(small.entries()).hasSizeBetween(100, 164);
        }
    }

    @Test
    void cancelledTasksLeaveNoHistory() {
        var held = s.held(me, MINUTE, "a").getFirst();
        q.queue.cancel(TaskId.of("a"));
        assertThat(q.queue.giveBack(me, GiveBack.retry(held.held(), Duration.ZERO, ""), 3))
                .isEqualTo(GivenBack.CANCELLED);

        assertThat(s.entries()).isEmpty();
        assertThat(List.copyOf(s.pending().keySet())).isEmpty();
    }
}
