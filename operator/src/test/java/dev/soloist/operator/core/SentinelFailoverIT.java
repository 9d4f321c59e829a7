package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.operator.core.FencedJob.Sidecar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * {@code SENTINEL FAILOVER} again and again under singletons and tasks: three times, or as often as the system property
 * {@code soloist.failovers} says.
 */
class SentinelFailoverIT {

    private static final int FAILOVERS = Integer.getInteger("soloist.failovers", 3);
    private static final int JOBS = 10;
    private static final int TASKS_PER_SECOND = 200;
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final JobId MAIL = new JobId("shop", "mail");
    /** How long a primary may go on that Sentinels have replaced: 10 s and a little, and what replication lags behind. */
    private static final Duration WINDOW = Duration.ofSeconds(13);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Set<String> acked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicLong longestStandstill = new AtomicLong();
    private volatile boolean over;
    private volatile boolean calm;

    @Test
    void f01_failoversLoseAtMostTheDocumentedWindowAndFencesRise() throws Exception {
        try (var group = new SentinelGroup(2).start();
                var operator = group.link();
                var pod = group.link();
                var app = group.link();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            List<AtomicLong> lastRuns = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                var id = new JobId("shop", "job-" + i);
                var cluster = new ClusterMemory();
                var fences = new RisingFences();
                var seen = new FencedJob(id, TTL, operator, cluster, fences);
                await().atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(RedisUnavailable.class)
                        .until(() -> seen.settle() == seen);
                var watchdog = new JobWatchdog(seen.store);
                all.add(threads.submit(() -> repeat(Duration.ofSeconds(1), () -> {
                    seen.pass();
                    watchdog.look(seen.definition);
                })));
                var held = new FencedJob(id, TTL, pod, cluster, fences);
                var last = new AtomicLong(System.nanoTime());
                lastRuns.add(last);
                all.add(threads.submit(() -> repeat(Duration.ofMillis(100), () -> run(held, last))));
            }
            all.add(threads.submit(() -> enqueue(app)));
            all.add(threads.submit(() -> consume(pod)));

            for (int i = 0; i < FAILOVERS; i++) {
                pause(Duration.ofSeconds(2));
                group.failover();
            }
            pause(Duration.ofSeconds(2));
            calm = true;
            var failedOver = System.nanoTime();
            await("each job runs again after the last failover")
                    .atMost(PATIENCE)
                    .until(() -> lastRuns.stream().allMatch(last -> last.get() - failedOver > 0));
            await("as many runs as there were failovers of each job")
                    .atMost(PATIENCE)
                    .until(() -> runs.get() > JOBS * FAILOVERS);
            var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (!acked.containsAll(accepted) && System.nanoTime() < end) {
                pause(Duration.ofMillis(100));
            }
            over = true;
            for (var each : all) {
                each.get();
            }
        }
        var lost = accepted.stream().filter(id -> !acked.contains(id)).count();
        System.out.printf(
                "%d failovers: %d runs, longest standstill %d ms, %d tasks accepted, %d lost%n",
                FAILOVERS, runs.get(), longestStandstill.get() / 1_000_000, accepted.size(), lost);
        assertThat(lost).isLessThanOrEqualTo(FAILOVERS * WINDOW.toSeconds() * TASKS_PER_SECOND);
        assertThat(acked.size()).isPositive();
    }

    private void run(FencedJob job, AtomicLong last) {
        job.tryToBegin(new Sidecar()).ifPresent(run -> {
            var now = System.nanoTime();
            var standstill = now - last.getAndSet(now);
            longestStandstill.accumulateAndGet(standstill, Math::max);
            runs.incrementAndGet();
            var _ = job.tryToEnd(run);
        });
    }

    private Void enqueue(RedisLink link) throws Exception {
        var store = new Store(link, Install.MAIN);
        var me = new InstanceId[] {InstanceId.create("app")};
        var number = new AtomicInteger();
        return repeat(Duration.ofNanos(1_000_000_000L / TASKS_PER_SECOND), () -> {
            if (calm) {
                return;
            }
            var id = TaskId.of("t" + number.incrementAndGet());
            var payload = Payload.of(new byte[] {1}, "application/octet-stream");
            var task = new NewTask(id, payload, When.now(), Nonce.create().value(), OnDuplicate.REJECT);
            switch (store.queue(MAIL).enqueue(me[0], task)) {
                case Enqueue.Accepted _ -> accepted.add(id.text());
                case Enqueue.Fenced _ -> {
                    me[0] = InstanceId.create("app");
                    store.instances(MAIL).register(me[0], "app", Duration.ofMinutes(5));
                }
                default -> {}
            }
        });
    }

    private Void consume(RedisLink link) throws Exception {
        var store = new Store(link, Install.MAIN);
        var me = new InstanceId[] {InstanceId.create("pod")};
        return repeat(Duration.ofMillis(20), () -> {
            var queue = store.queue(MAIL);
            queue.move(me[0].value(), 100);
            switch (queue.reserve(me[0], new ReserveRequest(Nonce.create(), 100, Duration.ofSeconds(2), 50))) {
                case Reservation.Reserved reserved ->
                    reserved.tasks().forEach(task -> {
                        var _ = queue.ack(task.held());
                        acked.add(task.id().text());
                    });
                case Reservation.Fenced _ -> {
                    me[0] = InstanceId.create("pod");
                    store.instances(MAIL).register(me[0], "pod", Duration.ofMinutes(5));
                }
            }
            queue.sweep(
                    me[0], new SweepRequest(100, new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(1)), 50));
        });
    }

    private Void repeat(Duration every, Runnable action) {
        while (!over) {
            try {
                action.run();
            } catch (RedisUnavailable again) {
                // The next turn repeats it.
            }
            pause(every);
        }
        return null;
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
