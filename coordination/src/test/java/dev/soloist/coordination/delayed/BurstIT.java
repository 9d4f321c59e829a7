package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BurstIT {

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
    void g01_aHundredThousandTasksDueInOneInstantKeepEveryCallShort() throws Exception {
        int tasks = 100_000;
        fill(1, tasks, 1000);
        watchCosts();
        var lease = new SharedLease(q.link);
        lease.renewWhile(() -> deliver(tasks, 1, 8));

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertCallsAreShort();
        assertThat(lease.renewals()).isGreaterThan(3);
    }

    @Test
    void l08_manyMoversAndSweepersOverAFullQueueHandOutEachTaskOnce() throws Exception {
        int tasks = 200_000;
        fill(1, tasks, 1000);
        watchCosts();

        deliver(tasks, 10, 10);

        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertCallsAreShort();
    }

    @Test
    void g02_anEnqueueDoesTheSameWorkHoweverMuchWaits() {
        Map<String, Long> few = costOfAnEnqueue("few");
        long bytesBefore = usedMemory();
        int month = 2_592_000;
        fill(1, 300_000, q.link.now().toEpochMilli() + month * 1000L);
        long bytesPerTask = (usedMemory() - bytesBefore) / 300_000;

        Map<String, Long> many = costOfAnEnqueue("many");

        assertThat(many).isEqualTo(few);
        assertThat(bytesPerTask).isLessThan(400);
        // A mover with nothing due learns from one call how long it may sleep.
        Moved moved = q.queue.move(me.value(), 500);
        assertThat(moved.count()).isZero();
        assertThat(moved.untilNext(Duration.ofHours(1))).isGreaterThan(Duration.ofSeconds(30));
    }

    /** Written as enqueue would, but by the server itself: the tests are about what follows. */
    private void fill(int from, int tasks, long due) {
        int page = 5_000;
        for (int first = from; first < from + tasks; first += page) {
            q.link.call(
                    "EVAL",
                    """
                    for i = %d, %d do
                      redis.call('HSET', KEYS[1], 't' .. i, '1|%d|req|%s|1000|1|x{}')
                      redis.call('ZADD', KEYS[2], %d, '1t' .. i)
                    end
                    return {1}
                    """.formatted(first, Math.min(first + page, from + tasks) - 1, due, me, due),
                    "2",
                    KEYS.tasks(JOB),
                    KEYS.segment(JOB, me.value()));
        }
    }

    private void deliver(int tasks, int movers, int consumers) throws Exception {
        var acked = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < movers; i++) {
                futures.add(threads.submit(() -> {
                    while (q.queue.move(me.value(), 500).nextHead() != null) {
                        q.queue.sweep(me, QueueUnderTest.sweep(100));
                    }
                }));
            }
            for (int i = 0; i < consumers; i++) {
                InstanceId consumer = q.member();
                futures.add(threads.submit(() -> {
                    while (acked.get() < tasks) {
                        List<ReservedTask> batch = q.reserve(consumer, 100).tasks();
                        assertThat(batch).allMatch(task -> task.attempt() == 1);
                        List<Held> held = batch.stream().map(ReservedTask::held).toList();
                        assertThat(q.queue.ack(held)).allMatch(Ack.ACKED::equals);
                        acked.addAndGet(batch.size());
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
        assertThat(acked).hasValue(tasks);
    }

    private void watchCosts() {
        q.link.call("CONFIG", "SET", "slowlog-log-slower-than", "20000");
        q.link.call("SLOWLOG", "RESET");
        q.link.call("CONFIG", "RESETSTAT");
    }

    /** How often the server ran each command inside one enqueue. */
    private Map<String, Long> costOfAnEnqueue(String id) {
        q.enqueue(me, "warm-" + id, When.after(Duration.ofDays(40)));
        q.link.call("CONFIG", "RESETSTAT");
        q.enqueue(me, id, When.after(Duration.ofDays(40)));
        return q.link.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_") && !line.startsWith("cmdstat_config"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')), line -> (long) number(line, "calls=")));
    }

    private long usedMemory() {
        return q.link.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
    }

    private void assertCallsAreShort() {
        // A neighbour on the machine can stretch single calls: the average and the share of long ones are ours.
        String stats = q.link.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .findFirst()
                .orElseThrow();
        assertThat(number(stats, "usec_per_call=")).isLessThan(3000);
        assertThat((double) (Long) q.link.call("SLOWLOG", "LEN").getFirst()).isLessThan(0.01 * number(stats, "calls="));
    }

    private static double number(String stats, String field) {
        String rest = stats.substring(stats.indexOf(field) + field.length());
        return Double.parseDouble(rest.substring(0, rest.indexOf(',')));
    }
}
