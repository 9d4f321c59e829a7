package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Jobs.MAILS;
import static dev.soloist.coordination.shard.Shop.MINUTE;
import static dev.soloist.coordination.shard.Shop.accepted;
import static dev.soloist.coordination.shard.Shop.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.shard.Layout.Phase;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The count of shards changes under those who work by it. */
class LayoutsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private Shop shop;
    private Layouts layouts;

    @BeforeEach
    void open() {
        shop = new Shop(REDIS.link());
        layouts = new Layouts(new ScriptRunner(shop.link), shop.store.keys());
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void whoActsOnAFormerLayoutIsFencedBeforeAnybodyActsOnTheNewOne() {
        var one = shop.arrange(1, 1);
        var before = shop.member(one);

        var three = shop.arrange(3, 2);

        assertThat(three.phase()).isEqualTo(Phase.OPEN);
        assertThat(shop.queue(one).enqueue(before, task("t", When.now()))).isEqualTo(new Enqueue.Fenced());
        assertThat(shop.queue(one).reserve(before, new ReserveRequest(Nonce.create(), 1, MINUTE, 5)))
                .isEqualTo(new Reservation.Fenced());
        assertThat(shop.shard(0).instances().heartbeat(before, MINUTE)).isEqualTo(new Heartbeat.Fenced());
    }

    @Test
    void whoRegistersWhileTheLayoutChangesIsTold() {
        var one = shop.arrange(1, 1);
        var instance = InstanceId.create("pod");
        var shard = shop.shard(0);
        // Registered by the old layout; the change comes before the second look.
        assertThat(shard.instances().register(instance, "pod", MINUTE)).isInstanceOf(Registering.Registered.class);
        var three = shop.arrange(3, 2);

        assertThat(shop.store.enrol(MAILS, one, shard, instance, "pod", MINUTE)).isEqualTo(new Enrolment.Fenced());
        assertThat(shop.store.enrol(MAILS, one, shard, InstanceId.create("pod"), "pod", MINUTE))
                .isEqualTo(new Enrolment.Outdated(three));
        assertThat(shop.shard(0).instances().list())
                .noneMatch(view -> view.state().name().equals("ACTIVE"));
    }

    @Test
    void aChangeThatWasLeftInTheMiddleIsFinishedByWhoeverMeetsIt() {
        var one = shop.arrange(1, 1);
        var before = shop.member(one);
        // Its author died after the first step.
        var closed = layouts.swap(MAILS, one, one.changedFor(Jobs.sharded(3, 2), 1));
        assertThat(closed.phase()).isEqualTo(Phase.CLOSED);
        accepted(shop.queue(one).enqueue(before, task("still by the old one", When.now())), Outcome.CREATED);

        // A definition that is older, or asks for nothing, finishes it all the same.
        var now = shop.arrange(1, 1);

        assertThat(now).isEqualTo(closed.opened());
        assertThat(shop.queue(one).enqueue(before, task("t", When.now()))).isEqualTo(new Enqueue.Fenced());
    }

    @Test
    void twoPodsWithDifferentDefinitionsForAMomentEndUpWithTheNewer() {
        shop.arrange(3, 7);

        var older = shop.arrange(5, 6);
        var newer = shop.arrange(4, 8);

        assertThat(older.count()).isEqualTo(3);
        assertThat(newer.count()).isEqualTo(4);
        assertThat(shop.arrange(3, 7)).isEqualTo(newer);
        assertThat(newer.former()).containsExactly(1, 3);
    }

    @Test
    void aCountThatComesBackIsNoFormerOneAnyMore() {
        shop.arrange(3, 1);
        shop.arrange(5, 2);

        var back = shop.arrange(3, 3);

        assertThat(back.count()).isEqualTo(3);
        assertThat(back.former()).containsExactly(1, 5);
        assertThat(back.active()).isEqualTo(5);
        assertThat(back.epoch()).isEqualTo(3);
    }

    @Test
    void aLayoutThatWasLostWithItsServerIsFoundFromTheOthers() {
        var five = shop.arrange(5, 1);
        var me = shop.member(five);
        var ids = IntStream.range(0, 20).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> shop.queue(five).enqueue(me, task(id, When.after(MINUTE))));
        shop.link.call("DEL", shop.store.keys().layout(MAILS));

        var found = shop.arrange(2, 2);

        assertThat(found.span()).isEqualTo(5);
        assertThat(shop.queue(five).enqueue(me, task("t", When.now()))).isEqualTo(new Enqueue.Fenced());
        var again = shop.member(found);
        ids.forEach(id ->
                Shop.refused(shop.queue(found).enqueue(again, task(id, When.after(MINUTE))), Enqueue.Reason.EXISTS));
    }

    @Test
    void aLayoutThatWasLostWhileTheNumberFellToOneIsFoundToo() {
        var five = shop.arrange(5, 1);
        var me = shop.member(five);
        var ids = IntStream.range(0, 20).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> shop.queue(five).enqueue(me, task(id, When.after(MINUTE))));
        shop.arrange(1, 2);
        shop.link.call("DEL", shop.store.keys().layout(MAILS));
        var asked = Jobs.sharded(1, 2);
        assertThat(shop.store.arrange(asked)).isEqualTo(Layout.SINGLE);

        // An operator that has never seen it, for it has just begun.
        var search = shop.store.lostLayout();
        for (int turn = 0; turn < Layout.MAX && shop.store.layout(MAILS).isSingle(); turn++) {
            search.turn(asked, shop.store.layout(MAILS));
        }

        var found = shop.store.arrange(asked);
        assertThat(found.count()).isEqualTo(1);
        assertThat(found.former()).contains(5);
        var again = shop.member(found);
        assertThat(shop.queue(found).counts(List.of()).pending()).isEqualTo(20);
        ids.forEach(id ->
                Shop.refused(shop.queue(found).enqueue(again, task(id, When.after(MINUTE))), Enqueue.Reason.EXISTS));
    }

    @Test
    void whoHasSeenALayoutThatIsGoneLooksEverywhereAtOnceAndWhoHasFoundNothingAsksNoMore() {
        var asked = Jobs.sharded(1, 2);
        shop.member(shop.arrange(5, 1));
        shop.arrange(1, 2);
        var search = shop.store.lostLayout();
        search.turn(asked, shop.store.layout(MAILS));
        shop.link.call("DEL", shop.store.keys().layout(MAILS));

        search.turn(asked, shop.store.layout(MAILS));

        assertThat(shop.store.layout(MAILS).former()).contains(5);

        shop.store.removeQueue(MAILS);
        var idle = shop.store.lostLayout();
        for (int turn = 0; turn < Layout.MAX; turn++) {
            idle.turn(asked, Layout.SINGLE);
        }
        long before = scripts();
        idle.turn(asked, Layout.SINGLE);
        assertThat(scripts()).isEqualTo(before);
    }

    private long scripts() {
        var calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)").matcher(shop.link.info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void aJobWhoseLayoutWasLostIsRemovedWithAllItsShards() {
        var five = shop.arrange(5, 1);
        var me = shop.member(five);
        IntStream.range(0, 20).forEach(i -> shop.queue(five).enqueue(me, task("t" + i, When.after(MINUTE))));
        shop.link.call("DEL", shop.store.keys().layout(MAILS));

        shop.store.removeQueue(MAILS);

        assertThat(shop.link.call("KEYS", "*")).isEqualTo(List.of());
    }

    @Test
    void ofManyWhoChangeItAtOnceAllSeeTheSame() throws InterruptedException {
        var seen = new ArrayList<Layout>();
        var start = new CountDownLatch(1);
        var threads = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    var layout = shop.arrange(4, 5);
                    synchronized (seen) {
                        seen.add(layout);
                    }
                }))
                .toList();
        start.countDown();
        for (var thread : threads) {
            thread.join();
        }

        assertThat(seen).hasSize(8).containsOnly(shop.store.layout(MAILS));
        assertThat(seen.getFirst().epoch()).isEqualTo(1);
    }

    @Test
    void anEnqueueByAFormerLayoutAndOneByTheNewNeverMakeTwoOfOneId() throws InterruptedException {
        for (int round = 0; round < 30; round++) {
            var before = shop.arrange(round % 2 == 0 ? 3 : 5, round * 2L + 1);
            var old = shop.member(before);
            var ids = Shop.idsThatMove(3, 5, 40).stream().map(id -> id).toList();
            var answers = new ArrayList<Enqueue>();
            var queue = shop.queue(before);
            int wave = round;
            var late = Thread.ofVirtual()
                    .start(() -> ids.forEach(id -> answers.add(
                            queue.enqueue(old, task(id, When.after(MINUTE), OnDuplicate.REJECT, "old " + wave)))));
            var after = shop.arrange(before.count() == 3 ? 5 : 3, round * 2L + 2);
            var me = shop.member(after);
            ids.forEach(id ->
                    shop.queue(after).enqueue(me, task(id, When.after(MINUTE), OnDuplicate.REJECT, "new " + wave)));
            late.join();

            ids.forEach(id -> assertThat(shop.whereabouts(id)).hasSize(1));
            ids.forEach(id -> shop.queue(after).cancel(dev.soloist.coordination.delayed.TaskId.of(id)));
            assertThat(answers).hasSameSizeAs(ids);
        }
    }

    @Test
    void removingTheJobRemovesEveryShardAndWhatTellsOfThem() {
        var five = shop.arrange(5, 1);
        var me = shop.member(five);
        IntStream.range(0, 20).forEach(i -> shop.queue(five).enqueue(me, task("t" + i, When.after(MINUTE))));
        shop.arrange(2, 2);

        shop.store.removeQueue(MAILS);

        assertThat(shop.link.call("KEYS", "*")).isEqualTo(List.of());
        assertThat(shop.store.layout(MAILS)).isEqualTo(Layout.SINGLE);
    }
}
