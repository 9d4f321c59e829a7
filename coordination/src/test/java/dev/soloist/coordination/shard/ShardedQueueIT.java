package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Shop.MINUTE;
import static dev.soloist.coordination.shard.Shop.accepted;
import static dev.soloist.coordination.shard.Shop.refused;
import static dev.soloist.coordination.shard.Shop.reserve;
import static dev.soloist.coordination.shard.Shop.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.delayed.Enqueue.Reason;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.Requeue;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several queues that answer as one does. */
class ShardedQueueIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final When LATER = When.after(MINUTE);

    private Shop shop;

    @BeforeEach
    void open() {
        shop = new Shop(REDIS.link());
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void withOneShardTheQueueIsThatShardAndNothingElse() {
        var layout = shop.arrange(1, 1);

        assertThat(layout).isEqualTo(Layout.SINGLE);
        assertThat(shop.queue(layout)).isNotInstanceOf(ShardedQueue.class);
        assertThat(shop.link.call("EXISTS", shop.store.keys().layout(Jobs.MAILS)))
                .containsExactly(0L);
    }

    @Test
    void tasksAreSpreadByTheirIdsAndEachIsDeliveredOnce() {
        var layout = shop.arrange(3, 1);
        var queue = shop.queue(layout);
        var me = shop.member(layout);

        for (int i = 0; i < 60; i++) {
            accepted(queue.enqueue(me, task("t" + i, When.now())), Outcome.CREATED);
            assertThat(shop.whereabouts("t" + i)).containsExactly(Homes.of(TaskId.of("t" + i), 3));
        }
        var seen = new ArrayList<TaskId>();
        while (seen.size() < 60) {
            var batch = reserve(queue, me, 10).tasks();
            assertThat(batch).isNotEmpty();
            batch.forEach(task -> seen.add(task.id()));
            assertThat(queue.ack(batch.stream().map(ReservedTask::held).toList()))
                    .containsOnly(Ack.ACKED);
        }

        assertThat(new HashSet<>(seen)).hasSize(60);
        assertThat(reserve(queue, me, 10).tasks()).isEmpty();
        assertThat(queue.counts(List.of()).pending()).isZero();
        assertThat(queue.counts(List.of()).inFlight()).isZero();
    }

    @Test
    void aRepeatedReservationGetsTheSameBatch() {
        var layout = shop.arrange(3, 1);
        var queue = shop.queue(layout);
        var me = shop.member(layout);
        for (int i = 0; i < 20; i++) {
            queue.enqueue(me, task("t" + i, When.now()));
        }
        var request = new ReserveRequest(Nonce.create(), 3, MINUTE, 5);

        var once = (Reservation.Reserved) queue.reserve(me, request);
        var again = (Reservation.Reserved) queue.reserve(me, request);

        assertThat(once.tasks()).isNotEmpty();
        assertThat(again.tasks()).containsExactlyInAnyOrderElementsOf(once.tasks());
    }

    @Test
    void eachShardHasItsTurn() {
        var layout = shop.arrange(3, 1);
        var queue = shop.queue(layout);
        var me = shop.member(layout);
        for (int i = 0; i < 300; i++) {
            queue.enqueue(me, task("t" + i, When.now()));
        }
        var homes = new HashSet<Integer>();

        for (int i = 0; i < 20; i++) {
            reserve(queue, me, 1).tasks().forEach(task -> homes.add(layout.home(task.id())));
        }

        assertThat(homes).hasSize(3);
    }

    @Test
    void aHolderGivesBackExtendsAndDeadLettersInTheRightShard() {
        var layout = shop.arrange(3, 1);
        var queue = shop.queue(layout);
        var me = shop.member(layout);
        for (int i = 0; i < 6; i++) {
            queue.enqueue(me, task("t" + i, When.now()));
        }
        for (int i = 0; i < 6; i++) {
            var held = reserve(queue, me, 1).tasks().getFirst().held();
            assertThat(queue.extend(held, MINUTE)).isInstanceOf(Extension.Extended.class);
            assertThat(queue.giveBack(me, GiveBack.dead(held, "no"), 5)).isEqualTo(GivenBack.DEAD);
            assertThat(queue.giveBack(me, GiveBack.dead(held, "no"), 5)).isEqualTo(GivenBack.REPEATED);
            assertThat(queue.ack(held)).isEqualTo(Ack.STALE);
        }

        var dead = queue.dead(0, 100);
        assertThat(dead).hasSize(6);
        assertThat(dead).extracting(DeadTask::diedAt).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(List.of(queue.dead(0, 4), queue.dead(4, 4)))
                .flatExtracting(page -> page)
                .containsExactlyElementsOf(dead);
        assertThat(queue.requeue(dead.getFirst().id())).isEqualTo(Requeue.REQUEUED);
        assertThat(queue.requeue(dead.getFirst().id())).isEqualTo(Requeue.NOT_DEAD);
        assertThat(queue.counts(List.of()).dead()).isEqualTo(5);
    }

    /** A sidecar has 32 MB of heap; how many shards there are, and what apps say of their tasks, is for others to choose. */
    @Test
    void howMuchIsReadForAPageOfDeadLettersDoesNotDependOnTheNumberOfShards() {
        var queue = shop.queue(shop.arrange(64, 1));
        for (int shard = 0; shard < 64; shard++) {
            bury(shard, 100);
        }

        long before = sent();
        var page = queue.dead(0, 100);

        assertThat(sent() - before).isLessThan(2_000_000);
        assertThat(page).hasSize(100);
        assertThat(page.getFirst().lastError()).hasSize(1000);
    }

    @Test
    void deadLettersOfAllShardsAreOneListThatIsPagedThroughUpToABound() {
        var queue = shop.queue(shop.arrange(4, 1));
        for (int shard = 0; shard < 4; shard++) {
            bury(shard, 60 * (shard + 1));
        }
        var all = new ArrayList<DeadTask>();
        for (var page = queue.dead(0, 77); !page.isEmpty(); page = queue.dead(all.size(), 77)) {
            all.addAll(page);
        }

        assertThat(all).hasSize(600).doesNotHaveDuplicates();
        assertThat(all).extracting(DeadTask::diedAt).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(queue.dead(queue.deadReach(), 100)).isEmpty();
        assertThatThrownBy(() -> queue.dead(queue.deadReach() + 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Dead letters with the longest errors that there are. */
    private void bury(int shard, int letters) {
        var keys = shop.store.keys().ofShard(shard);
        shop.link.call(
                "EVAL",
                "for i = 1, ARGV[1] do local id = ARGV[2] .. '/' .. i redis.call('ZADD', KEYS[1], 1000 + i * ARGV[1] / 7, id)"
                        + " redis.call('HSET', KEYS[2], id, 'D|1|1|r|x|5|0||' .. string.rep('x', 1000)) end",
                "2",
                keys.dead(Jobs.MAILS),
                keys.attempts(Jobs.MAILS),
                Integer.toString(letters),
                Integer.toString(shard));
    }

    private long sent() {
        var info = new String((byte[]) shop.link.call("INFO", "stats").getFirst(), StandardCharsets.UTF_8);
        return info.lines()
                .filter(line -> line.startsWith("total_net_output_bytes:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @Test
    void aTaskThatLivesWhereAFormerCountPutItIsTheOnlyOneOfItsId() {
        var one = shop.arrange(1, 1);
        var before = shop.member(one);
        var ids = Shop.idsThatMove(1, 3, 5);
        ids.forEach(id -> shop.queue(one).enqueue(before, task(id, LATER, OnDuplicate.REJECT, "first " + id)));

        var three = shop.arrange(3, 2);
        var queue = shop.queue(three);
        var me = shop.member(three);

        refused(queue.enqueue(me, task(ids.get(0), LATER)), Reason.EXISTS);
        accepted(
                queue.enqueue(me, task(ids.get(0), LATER, OnDuplicate.REJECT, "first " + ids.get(0))),
                Outcome.DUPLICATE);
        accepted(
                queue.enqueue(me, task(ids.get(1), When.after(MINUTE.multipliedBy(2)), OnDuplicate.KEEP_EARLIEST, "k")),
                Outcome.KEPT);
        accepted(queue.enqueue(me, task(ids.get(2), LATER, OnDuplicate.KEEP_LATEST, "k")), Outcome.MOVED);
        accepted(queue.enqueue(me, task(ids.get(3), LATER, OnDuplicate.REPLACE, "r")), Outcome.REPLACED);
        ids.forEach(id -> assertThat(shop.whereabouts(id)).containsExactly(0));
        assertThat(queue.inspect(TaskId.of(ids.get(4)))).map(TaskView::state).contains(TaskState.DELAYED);
        assertThat(queue.reschedule(TaskId.of(ids.get(4)), When.now(), me))
                .isInstanceOf(Rescheduling.Rescheduled.class);
        assertThat(queue.cancel(TaskId.of(ids.get(3)))).isEqualTo(Cancellation.CANCELLED);
        assertThat(queue.cancel(TaskId.of(ids.get(3)))).isEqualTo(Cancellation.CANCELLED);
        assertThat(queue.inspect(TaskId.of(ids.get(3)))).map(TaskView::state).contains(TaskState.CANCELLED);
        accepted(queue.enqueue(me, task(ids.get(3), LATER, OnDuplicate.REPLACE, "r")), Outcome.DUPLICATE);
        accepted(queue.enqueue(me, task(ids.get(3), LATER)), Outcome.CREATED);
        assertThat(shop.whereabouts(ids.get(3))).containsExactly(Homes.of(TaskId.of(ids.get(3)), 3));
    }

    @Test
    void aBatchGoesToEachShardOnceAndIsAnsweredInOrder() {
        var three = shop.arrange(3, 1);
        var before = shop.member(three);
        var moving = Shop.idsThatMove(3, 5, 3);
        moving.forEach(id -> shop.queue(three).enqueue(before, task(id, LATER)));
        var five = shop.arrange(5, 2);
        var me = shop.member(five);
        var tasks = new ArrayList<NewTask>();
        moving.forEach(id -> tasks.add(task(id, LATER)));
        IntStream.range(1000, 1030).forEach(i -> tasks.add(task("t" + i, LATER)));
        tasks.add(task("t1000", LATER));

        var answers = shop.queue(five).enqueueAll(me, tasks, Durability.LOCAL).answer();

        assertThat(answers).hasSameSizeAs(tasks);
        answers.subList(0, 3).forEach(answer -> refused(answer, Reason.EXISTS));
        answers.subList(3, 33).forEach(answer -> accepted(answer, Outcome.CREATED));
        refused(answers.get(33), Reason.EXISTS);
        tasks.forEach(task -> assertThat(shop.whereabouts(task.id().text())).hasSize(1));
    }

    @Test
    void whatIsRememberedOfAFormerLifeDoesNotHideTheLivingTask() {
        var three = shop.arrange(3, 1);
        var me = shop.member(three);
        var id = Shop.idsThatMove(3, 5, 1).getFirst();
        shop.queue(three).enqueue(me, task(id, LATER));
        assertThat(shop.queue(three).cancel(TaskId.of(id))).isEqualTo(Cancellation.CANCELLED);
        var five = shop.arrange(5, 2);
        shop.queue(five).enqueue(shop.member(five), task(id, LATER));
        var back = shop.queue(shop.arrange(3, 3));

        assertThat(back.inspect(TaskId.of(id))).map(TaskView::state).contains(TaskState.DELAYED);
        assertThat(back.cancel(TaskId.of(id))).isEqualTo(Cancellation.CANCELLED);
        assertThat(shop.whereabouts(id)).isEmpty();
        assertThat(back.cancel(TaskId.of("never was"))).isEqualTo(Cancellation.NOT_FOUND);
    }

    @Test
    void aRepeatAfterTheEndIsKnownThoughTheCountHasChanged() {
        var three = shop.arrange(3, 1);
        var before = shop.member(three);
        var id = Shop.idsThatMove(3, 5, 1).getFirst();
        shop.queue(three).enqueue(before, task(id, When.now(), OnDuplicate.REJECT, "once"));
        var held = reserve(shop.queue(three), before, 5).tasks().getFirst().held();

        var five = shop.arrange(5, 2);
        var queue = shop.queue(five);
        var me = shop.member(five);

        refused(queue.enqueue(me, task(id, LATER)), Reason.IN_FLIGHT);
        assertThat(queue.ack(held)).isEqualTo(Ack.ACKED);
        assertThat(queue.ack(held)).isEqualTo(Ack.REPEATED);
        accepted(queue.enqueue(me, task(id, When.now(), OnDuplicate.REJECT, "once")), Outcome.DUPLICATE);
        assertThat(shop.whereabouts(id)).isEmpty();
    }

    @Test
    void whereNothingIsRecordedAnyMoreNothingAppears() {
        var one = shop.arrange(1, 1);
        shop.member(one);
        var me = shop.member(shop.arrange(3, 2));
        var former = shop.shard(0).merging();
        var tooLarge =
                new NewTask(TaskId.of("large"), Payload.of(new byte[300_000], "a/b"), LATER, "k", OnDuplicate.REPLACE);

        for (var policy : OnDuplicate.values()) {
            refused(former.enqueue(me, task("t", LATER, policy, "k")), Reason.FULL);
        }
        refused(former.enqueue(me, tooLarge), Reason.TOO_LARGE);
        refused(shop.queue(shop.store.layout(Jobs.MAILS)).enqueue(me, tooLarge), Reason.TOO_LARGE);
        refused(former.enqueue(me, task("t", When.after(Duration.ofDays(400)))), Reason.TOO_FAR);
        assertThat(shop.link.call("EXISTS", shop.tasks(0))).containsExactly(0L);
    }

    @Test
    void aReceiptFromBeforeThereWereShardsStillCounts() {
        var one = shop.arrange(1, 1);
        var before = shop.member(one);
        shop.queue(one).enqueue(before, task("t", When.now()));
        Held held = reserve(shop.queue(one), before, 1).tasks().getFirst().held();

        var three = shop.arrange(3, 2);

        assertThat(shop.queue(three).ack(held)).isEqualTo(Ack.ACKED);
    }

    @Test
    void movingSweepingPurgingAndRepairingReachEveryShard() {
        var layout = shop.arrange(3, 1);
        var queue = shop.queue(layout);
        var me = shop.member(layout);
        IntStream.range(0, 30).forEach(i -> queue.enqueue(me, task("t" + i, When.after(Duration.ofMillis(1)))));

        int moved = 0;
        while (moved < 30) {
            var step = queue.move(me.value(), 7);
            assertThat(step.count()).isLessThanOrEqualTo(7);
            moved += step.count();
        }
        assertThat(queue.move(me.value(), 7).nextHead()).isNull();
        for (int held = 0; held < 30; ) {
            var answer = (Reservation.Reserved)
                    queue.reserve(me, new ReserveRequest(Nonce.create(), 10, Duration.ofMillis(1), 5));
            held += answer.tasks().size();
        }
        var backoff = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));
        int swept = 0;
        while (swept < 30) {
            swept += queue.sweepToShared(new SweepRequest(5, backoff, 5)).delayed();
        }
        assertThat(queue.counts(List.of()).pending()).isEqualTo(30);
        for (int number = 0; number < 3; number++) {
            shop.link.call("DEL", shop.store.keys().ofShard(number).sharedSegment(Jobs.MAILS));
        }
        var mended = new AtomicInteger();
        // What is overdue for less than the walk waits for is left to the next one.
        await().until(() -> mended.addAndGet(mendedByAWalk(queue)) >= 30);
        assertThat(queue.purge().dead()).isZero();
    }

    private static int mendedByAWalk(DelayedQueue queue) {
        int mended = 0;
        var step = Repair.begin(MINUTE, Duration.ofMillis(1));
        while (!step.isFinished()) {
            var repaired = queue.repair(step);
            mended += repaired.mended();
            step = repaired.next();
        }
        return mended;
    }
}
