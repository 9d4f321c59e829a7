package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Jobs.MAILS;
import static dev.soloist.coordination.shard.Shop.MINUTE;
import static dev.soloist.coordination.shard.Shop.reserve;
import static dev.soloist.coordination.shard.Shop.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Former counts are forgotten when nothing lies any more where they put it, and not before. */
class DrainIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private Shop shop;

    @BeforeEach
    void open() {
        shop = new Shop(REDIS.link());
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private Layout turn(Drain drain) {
        drain.turn(shop.store.layout(MAILS), 25);
        return shop.store.layout(MAILS);
    }

    @Test
    void aFormerCountStaysAsLongAsOneTaskIsOutOfPlace() {
        var five = shop.arrange(5, 1);
        var me = shop.member(five);
        var ids = IntStream.range(0, 200).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> shop.queue(five).enqueue(me, task(id, When.now())));
        var two = shop.arrange(2, 2);
        var again = shop.member(two);
        var drain = shop.store.drain(MAILS);
        var queue = shop.queue(two);

        int left = 200;
        while (left > 0) {
            for (var task : reserve(queue, again, 7).tasks()) {
                queue.ack(task.held());
                left--;
            }
            // What has ended is remembered where it was, for the sake of repeats.
            assertThat(turn(drain).former()).containsExactly(1, 5);
        }
        for (int number = 0; number < 5; number++) {
            shop.link.call("DEL", shop.store.keys().ofShard(number).done(MAILS));
        }

        assertThat(turn(drain).former()).isEmpty();
        assertThat(shop.store.layout(MAILS).span()).isEqualTo(5);
        // Somebody still takes part.
        assertThat(turn(drain).span()).isEqualTo(5);
        for (int number = 2; number < 5; number++) {
            shop.shard(number).instances().leave(again);
        }
        assertThat(turn(drain).span()).isEqualTo(2);
        assertThat(shop.link.call("KEYS", "*mails/4}*")).isEqualTo(List.of());
        assertThat(turn(drain)).isEqualTo(new Layout(2, Layout.Phase.OPEN, "uid", 2, 2, List.of(), 2));
    }

    @Test
    void anOperatorThatJudgedBeforeTheNumberRoseAgainRemovesNoTask() {
        shop.arrange(5, 1);
        shop.arrange(2, 2);
        turn(shop.store.drain(MAILS));
        var judged = shop.store.layout(MAILS);
        assertThat(judged.former()).isEmpty();
        assertThat(judged.span()).isEqualTo(5);

        // It sleeps, another takes over, and there are more shards again.
        var more = shop.arrange(5, 3);
        var me = shop.member(more);
        var ids = IntStream.range(0, 40).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> shop.queue(more).enqueue(me, task(id, When.after(MINUTE))));
        // That pod is silent since, and its lease is over: what it has recorded counts all the same.
        for (int number = 0; number < 5; number++) {
            shop.link.call("ZADD", shop.store.keys().ofShard(number).instanceLeases(MAILS), "1", me.value());
        }
        shop.store.drain(MAILS).turn(judged, 25);

        assertThat(shop.store.layout(MAILS)).isEqualTo(more);
        assertThat(shop.queue(more).counts(List.of()).pending()).isEqualTo(40);
        ids.forEach(id -> assertThat(shop.whereabouts(id)).hasSize(1));
    }

    @Test
    void aShardInWhichSomebodyTakesPartIsNotRemovedAndWhatHasEndedIsRemembered() {
        var three = shop.arrange(3, 1);
        var me = shop.member(three);
        var removal =
                new ShardRemoval(new ScriptRunner(shop.link), shop.store.keys().ofShard(2), MAILS);

        assertThat(removal.removeUnlessInUse()).isFalse();
        shop.shard(2).queue().enqueue(me, task("t", When.now()));
        shop.shard(2).instances().leave(me);
        assertThat(removal.removeUnlessInUse()).isFalse();
        assertThat(shop.shard(2).queue().cancel(TaskId.of("t"))).isEqualTo(Cancellation.CANCELLED);
        assertThat(removal.removeUnlessInUse()).isFalse();
        shop.link.call("DEL", shop.store.keys().ofShard(2).done(MAILS));

        assertThat(removal.removeUnlessInUse()).isTrue();
        assertThat(shop.link.call("KEYS", "*mails/2}*")).isEqualTo(List.of());
        assertThat(removal.removeUnlessInUse()).isTrue();
    }

    @Test
    void tasksThatAreInPlaceStayWhereTheyAre() {
        var three = shop.arrange(3, 1);
        var me = shop.member(three);
        IntStream.range(0, 500).forEach(i -> shop.queue(three).enqueue(me, task("t" + i, When.after(MINUTE))));
        var drain = shop.store.drain(MAILS);

        Layout now = three;
        for (int i = 0; i < 10 && !now.former().isEmpty(); i++) {
            now = turn(drain);
        }

        assertThat(now.former()).isEmpty();
        assertThat(shop.queue(now).counts(List.of()).pending()).isEqualTo(500);
    }

    @Test
    void aWalkOfOneProcessIsGoneOnWithByAnother() {
        shop.arrange(5, 1);
        var two = shop.arrange(2, 2);

        assertThat(turn(shop.store.drain(MAILS)).former()).isEmpty();
        // It died before it removed what is left over.
        assertThat(turn(shop.store.drain(MAILS)).span()).isEqualTo(two.count());
    }
}
