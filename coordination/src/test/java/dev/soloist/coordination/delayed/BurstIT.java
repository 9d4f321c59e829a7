package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
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
        // Written as enqueue would, but by the server itself: the test is about delivery.
        q.link.call("EVAL", """
                for i = 1, %d do
                  redis.call('HSET', KEYS[1], 't' .. i, '1|1000|req|%s|1000|1|x{}')
                  redis.call('ZADD', KEYS[2], 1000, '1t' .. i)
                end
                return {1}
                """.formatted(tasks, me), "2", KEYS.tasks(JOB), KEYS.segment(JOB, me.value()));
        q.link.call("CONFIG", "SET", "slowlog-log-slower-than", "20000");
        q.link.call("SLOWLOG", "RESET");
        q.link.call("CONFIG", "RESETSTAT");
        var acked = new AtomicInteger();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            futures.add(threads.submit(() -> {
                while (q.queue.move(me.value(), 500).nextHead() != null) {}
            }));
            for (int i = 0; i < 8; i++) {
                InstanceId consumer = q.member();
                futures.add(threads.submit(() -> {
                    while (acked.get() < tasks) {
                        List<Held> batch = q.reserve(consumer, 100).tasks().stream()
                                .map(ReservedTask::held)
                                .toList();
                        assertThat(q.queue.ack(batch)).allMatch(Ack.ACKED::equals);
                        acked.addAndGet(batch.size());
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }

        assertThat(acked).hasValue(tasks);
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
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
