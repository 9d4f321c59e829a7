package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Jobs.MAILS;
import static dev.soloist.coordination.shard.Shop.MINUTE;
import static dev.soloist.coordination.shard.Shop.accepted;
import static dev.soloist.coordination.shard.Shop.reserve;
import static dev.soloist.coordination.shard.Shop.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.Wire;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where shards are for: several primaries. */
class ShardsOnAClusterIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(0);

    private static final int TASKS = 3000;
    private static final int THREADS = 6;

    private Shop shop;

    @BeforeEach
    void open() {
        shop = new Shop(GROUP.patientLink());
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void fourShardsReachAllOfThreePrimaries() {
        var keys = new RedisKeys(Install.MAIN);
        for (int i = 0; i < 500; i++) {
            var job = new JobId("shop", "job-" + i);
            var thirds = IntStream.range(0, 4)
                    .map(shard -> SlotHash.getSlot(keys.ofShard(shard).tasks(job)) * 3 / SlotHash.SLOT_COUNT)
                    .distinct();
            assertThat(thirds.count()).as("%s", job).isEqualTo(3);
        }

        var four = shop.arrange(4, 1);
        var me = shop.member(four);
        IntStream.range(0, 40).forEach(i -> shop.queue(four).enqueue(me, task("t" + i, When.after(MINUTE))));

        assertThat(GROUP.nodes())
                .allSatisfy(node -> assertThat(Wire.text(GROUP.ask(node, "INFO", "keyspace")))
                        .contains("db0:"));
    }

    @Test
    void f08_aPrimaryThatIsAwayStopsOnlyItsShards() {
        GROUP.nodes().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "no"));
        var layout = shop.arrange(12, 1);
        var me = shop.member(layout);
        var queue = shop.queue(layout);
        var first = GROUP.ownerOf(shop.tasks(0));
        var away = GROUP.nodes().stream()
                .filter(node -> !node.equals(first))
                .findFirst()
                .orElseThrow();
        var ids = IntStream.range(0, 60).mapToObj(i -> "t" + i).toList();
        var there = ids.stream()
                .filter(id ->
                        GROUP.ownerOf(shop.tasks(layout.home(TaskId.of(id)))).equals(away))
                .toList();
        assertThat(there).hasSizeBetween(5, 50);
        var elsewhere = IntStream.range(0, 12)
                .filter(shard -> !GROUP.ownerOf(shop.tasks(shard)).equals(away))
                .toArray();
        var seen = new HashSet<String>();
        var hasty = hasty(Duration.ofSeconds(2));

        away.pause(true);
        try {
            for (var id : ids) {
                if (!there.contains(id)) {
                    accepted(queue.enqueue(me, task(id, When.now())), Outcome.CREATED);
                }
            }
            assertThatThrownBy(() -> hasty.queue(layout).enqueue(me, task(there.getFirst(), When.now())))
                    .isInstanceOf(RedisUnavailable.class);
            for (int shard : elsewhere) {
                for (var task : reserve(shop.shard(shard).queue(), me, 60).tasks()) {
                    assertThat(shop.shard(shard).queue().ack(task.held())).isEqualTo(Ack.ACKED);
                    seen.add(task.id().text());
                }
            }
            assertThat(seen).hasSize(ids.size() - there.size());
        } finally {
            away.pause(false);
        }
        hasty.close();
        GROUP.awaitOk();
        for (var id : there) {
            await().ignoreExceptionsInstanceOf(RedisUnavailable.class).until(() -> {
                queue.enqueue(me, task(id, When.now()));
                return queue.inspect(TaskId.of(id)).isPresent();
            });
        }
        GROUP.nodes().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "yes"));
    }

    @Test
    void f08_anArrayOverAllPrimariesIsAnsweredTaskByTaskWhenOneOfThemIsAway() {
        GROUP.nodes().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "no"));
        var six = shop.arrange(6, 1);
        var layout = shop.arrange(12, 2);
        var me = shop.member(layout);
        var away = GROUP.ownerOf(shop.tasks(1));
        var tasks = IntStream.range(0, 60)
                .mapToObj(i -> task("t" + i, When.after(MINUTE), OnDuplicate.REJECT, "request " + i))
                .toList();
        // Whoever may live there, by the count before, must not be recorded elsewhere.
        var silent = tasks.stream()
                .filter(task -> IntStream.of(layout.home(task.id()), six.home(task.id()), 0)
                        .anyMatch(shard -> GROUP.ownerOf(shop.tasks(shard)).equals(away)))
                .toList();
        assertThat(silent).hasSizeBetween(5, 55);
        // Longer than the machine may stand still: whoever lives is to answer in time.
        var hasty = hasty(Duration.ofSeconds(8));
        var queue = hasty.queue(layout);

        away.pause(true);
        try {
            var answers = queue.enqueueAll(me, tasks, Durability.LOCAL).answer();

            for (int i = 0; i < tasks.size(); i++) {
                if (silent.contains(tasks.get(i))) {
                    assertThat(answers.get(i)).isInstanceOf(Enqueue.Unanswered.class);
                } else {
                    accepted(answers.get(i), Outcome.CREATED);
                }
            }
            assertThatThrownBy(() -> queue.enqueueAll(me, silent, Durability.LOCAL))
                    .isInstanceOf(RedisUnavailable.class);
        } finally {
            away.pause(false);
        }
        GROUP.awaitOk();
        await().ignoreExceptionsInstanceOf(RedisUnavailable.class)
                .until(() -> queue.enqueueAll(me, tasks, Durability.LOCAL).answer().stream()
                        .allMatch(answer -> answer instanceof Enqueue.Accepted accepted
                                && accepted.outcome() == Outcome.DUPLICATE));
        hasty.close();
        tasks.forEach(task -> assertThat(shop.whereabouts(task.id().text())).hasSize(1));
        GROUP.nodes().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "yes"));
    }

    /** Does not wait for the one that is away as long as for those that live. */
    private static Shop hasty(Duration timeout) {
        return new Shop(RedisProcess.connected(RedisLink.open(GROUP.settings().withCommandTimeout(timeout))));
    }

    @Test
    void theNumberChangesOnAClusterAndNoTaskIsLost() {
        var before = shop.arrange(3, 1);
        var old = shop.member(before);
        IntStream.range(0, 50).forEach(i -> shop.queue(before).enqueue(old, task("t" + i, When.now())));
        var more = shop.arrange(8, 2);
        var me = shop.member(more);
        IntStream.range(50, 100).forEach(i -> shop.queue(more).enqueue(me, task("t" + i, When.now())));
        var fewer = shop.arrange(2, 3);
        var again = shop.member(fewer);
        var queue = shop.queue(fewer);
        var seen = new HashSet<String>();

        await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (var task : reserve(queue, again, 20).tasks()) {
                assertThat(seen.add(task.id().text())).isTrue();
                assertThat(queue.ack(task.held())).isEqualTo(Ack.ACKED);
            }
            return seen.size() == 100;
        });
    }

    /** Where all primaries share one machine's cores, only the busiest one's share tells what several machines would gain. */
    @Test
    void theWorkOfOneJobIsSpreadOverThePrimaries() throws InterruptedException {
        double one = busiestShare(1, 1);
        double eight = busiestShare(8, 2);

        assertThat(one).isGreaterThan(0.95);
        assertThat(eight).isLessThan(0.65);
    }

    private double busiestShare(int shards, long generation) throws InterruptedException {
        var layout = shop.arrange(shards, generation);
        while (!layout.former().isEmpty()) {
            shop.store.drain(MAILS).turn(layout, 100);
            layout = shop.store.layout(MAILS);
            clearMemory();
        }
        var queue = shop.queue(layout);
        var me = shop.member(layout);
        double[] calls = each(ShardsOnAClusterIT::calls);
        double[] cpu = each(ShardsOnAClusterIT::cpu);
        long begun = System.nanoTime();
        inParallel(thread -> {
            for (int i = thread; i < TASKS; i += THREADS) {
                queue.enqueue(me, task("t" + shards + "-" + i, When.now()));
            }
        });
        var left = new AtomicInteger(TASKS);
        inParallel(_ -> {
            while (left.get() > 0) {
                var batch = reserve(queue, me, 10).tasks();
                if (!batch.isEmpty()) {
                    queue.ack(batch.stream().map(ReservedTask::held).toList());
                    left.addAndGet(-batch.size());
                }
            }
        });
        double took = (System.nanoTime() - begun) / 1e9;
        double share = report(
                shards, took, minus(each(ShardsOnAClusterIT::calls), calls), minus(each(ShardsOnAClusterIT::cpu), cpu));
        clearMemory();
        return share;
    }

    private static double report(int shards, double took, double[] calls, double[] cpu) {
        double busiest = IntStream.range(0, 3).mapToDouble(i -> calls[i]).max().orElseThrow();
        double all = IntStream.range(0, 3).mapToDouble(i -> calls[i]).sum();
        double busiestCpu = IntStream.range(0, 3).mapToDouble(i -> cpu[i]).max().orElseThrow();
        System.out.printf(
                "%2d shards: %5.0f tasks/s here; scripts per primary %.0f %.0f %.0f; processor seconds %.2f %.2f %.2f;"
                        + " the busiest has %.0f %% of the scripts: %.0f tasks per processor second of the busiest%n",
                shards,
                TASKS / took,
                calls[0],
                calls[1],
                calls[2],
                cpu[0],
                cpu[1],
                cpu[2],
                100 * busiest / all,
                TASKS / Math.max(0.01, busiestCpu));
        return busiest / all;
    }

    /** So that nothing is out of place for the next layout. */
    private void clearMemory() {
        for (int shard = 0; shard < 12; shard++) {
            shop.link.call("DEL", shop.store.keys().ofShard(shard).done(MAILS));
        }
    }

    private interface Part {
        void run(int thread);
    }

    private static void inParallel(Part part) throws InterruptedException {
        var threads = IntStream.range(0, THREADS)
                .mapToObj(thread -> Thread.ofVirtual().start(() -> part.run(thread)))
                .toList();
        for (var thread : threads) {
            thread.join();
        }
    }

    private static double[] each(ToDoubleFunction<RedisProcess> read) {
        return GROUP.nodes().stream().mapToDouble(read).toArray();
    }

    private static double[] minus(double[] after, double[] before) {
        return IntStream.range(0, after.length)
                .mapToDouble(i -> after[i] - before[i])
                .toArray();
    }

    private static double calls(RedisProcess node) {
        return number(Wire.text(GROUP.ask(node, "INFO", "commandstats")), "cmdstat_evalsha:calls=(\\d+)");
    }

    private static double cpu(RedisProcess node) {
        String info = Wire.text(GROUP.ask(node, "INFO", "cpu"));
        return number(info, "used_cpu_user:([0-9.]+)") + number(info, "used_cpu_sys:([0-9.]+)");
    }

    private static double number(String text, String pattern) {
        var found = Pattern.compile(pattern).matcher(text);
        return found.find() ? Double.parseDouble(found.group(1)) : 0;
    }

    /** Of some primaries the shards are as many as of others, give or take. */
    @Test
    void eightShardsGiveEachPrimaryAQuarterToAHalfWhateverTheJobIsCalled() {
        var keys = new RedisKeys(Install.MAIN);
        for (int i = 0; i < 200; i++) {
            var job = new JobId("shop", "job-" + i);
            var sizes = new int[3];
            for (int shard = 0; shard < 8; shard++) {
                sizes[SlotHash.getSlot(keys.ofShard(shard).tasks(job)) * 3 / SlotHash.SLOT_COUNT]++;
            }
            assertThat(List.of(sizes[0], sizes[1], sizes[2])).as("%s", job).allMatch(size -> size >= 2 && size <= 4);
        }
    }
}
