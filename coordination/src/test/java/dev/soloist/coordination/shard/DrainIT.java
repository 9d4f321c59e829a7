package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Jobs.MAILS;
import static dev.soloist.coordination.shard.Shop.MINUTE;
import static dev.soloist.coordination.shard.Shop.reserve;
import static dev.soloist.coordination.shard.Shop.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.When;
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
        drain.turn(shop.store.layout(MAILS), 25, number -> shop.store.removeShard(MAILS, number));
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
        assertThat(turn(drain).span()).isEqualTo(2);
        assertThat(shop.link.call("KEYS", "*mails/4}*")).isEqualTo(List.of());
        assertThat(turn(drain)).isEqualTo(new Layout(2, Layout.Phase.OPEN, "uid", 2, 2, List.of(), 2));
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
