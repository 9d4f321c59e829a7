package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.core.FencedJob.Sidecar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Two operators believe to lead, each with views that may be old, while Redis is emptied again and again. */
class TwoOperatorsIT {

    private static final Duration STORM = Duration.ofSeconds(8);
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int ENOUGH = 20;

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());
    private final ClusterMemory cluster = new ClusterMemory();
    private final RisingFences fences = new RisingFences();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private long begin;

    @Test
    void fencesRiseThroughLossesThatTwoOperatorsSeeAtOnce() throws Exception {
        try (var redis = new RedisProcess().start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            begin = System.nanoTime();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                var random = new Random(seed + i);
                all.add(threads.submit(repeating(redis, job -> operate(job, random))));
            }
            all.add(threads.submit(repeating(redis, this::sidecar)));
            var random = new Random(seed - 1);
            all.add(threads.submit(repeating(redis, job -> lose(job, random))));
            for (var each : all) {
                each.get();
            }
        }
        System.out.printf("seed %d: %d runs, %d losses, term %d%n", seed, runs.get(), losses.get(), cluster.term());
        assertThat(runs.get()).as("seed %d", seed).isGreaterThan(ENOUGH);
        assertThat(losses.get()).isGreaterThan(ENOUGH);
    }

    private interface Actor {
        void act(FencedJob job);
    }

    private Callable<Void> repeating(RedisProcess redis, Actor actor) {
        return () -> {
            try (var job = new FencedJob(redis, cluster, fences)) {
                while (goesOn()) {
                    try {
                        actor.act(job);
                    } catch (RedisUnavailable again) {
                        // The next turn repeats it.
                    }
                }
            }
            return null;
        };
    }

    /** For a while, and on a slow machine until there is something to judge. */
    private boolean goesOn() {
        var past = System.nanoTime() - begin;
        var enough = runs.get() > ENOUGH && losses.get() > ENOUGH;
        return past < (enough ? STORM : LIMIT).toNanos();
    }

    private void operate(FencedJob job, Random random) {
        var view = cluster.read();
        // Some look at a cache that lags by whole losses.
        pause(random.nextInt(4) == 0 ? random.nextInt(400) : random.nextInt(3));
        job.passWith(view);
    }

    /** Only one at a time: what is checked is the order of fences, so they must be noted in the order in which they were given. */
    private void sidecar(FencedJob job) {
        job.tryToBegin(new Sidecar()).ifPresent(run -> {
            runs.incrementAndGet();
            var _ = job.tryToEnd(run);
        });
        pause(2);
    }

    private void lose(FencedJob job, Random random) {
        pause(20 + random.nextInt(80));
        switch (random.nextInt(3)) {
            case 0 -> job.store.link().call("FLUSHALL");
            case 1 ->
                job.store
                        .link()
                        .call(
                                "DEL",
                                job.store.keys().record(FencedJob.ID),
                                job.store.keys().lock(FencedJob.ID));
            default -> job.store.link().call("DEL", job.store.keys().mark(FencedJob.ID));
        }
        losses.incrementAndGet();
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }
}
