package dev.soloist.coordination.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many sidecars, two watchdogs and an operator that keeps changing its mind, with calls that are lost, doubled or late,
 * holders that freeze beyond their lease or die, keys deleted by hand, and a server that forgets its scripts.
 */
class SingletonClusterIT {
    private static final int SIDECARS = 12;
    private static final int WATCHDOGS = 2;
    private static final Duration STORM = Duration.ofSeconds(12);

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());
    private final AtomicLong actors = new AtomicLong();
    private final CountDownLatch calm = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final RunLedger ledger = new RunLedger();
    private final RedisKeys keys = BackendRunner.keys(new RedisKeys(new Install("storm")), REDIS.backend());
    private final List<JobId> jobs =
            IntStream.range(0, 8).mapToObj(i -> new JobId("shop", "job-" + i)).toList();
    private final List<Thread> threads = new ArrayList<>();
    private final List<RedisLink> links = new ArrayList<>();

    @Test
    void l01_l05_t08_noTwoValidRunsOverlapFencesRiseAndEveryJobRunsAgainAfterTheFaults() throws Exception {
        try {
            for (int i = 0; i < SIDECARS; i++) {
                RedisLink link = link();
                start(new SimulatedSidecar("pod-" + i, jobs, store(link), link.clock()::now, faults(), ledger));
            }
            for (int i = 0; i < WATCHDOGS; i++) {
                RedisLink link = link();
                start(() -> watch(store(link), link.clock()::now, faults()));
            }
            RedisLink operator = link();
            start(new SimulatedOperator(
                    jobs, store(operator), operator.clock()::now, () -> forgetScripts(operator), faults(), ledger));
            RedisLink inspector = link();
            start(() -> inspect(inspector));

            assertThat(end.await(STORM.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(ledger.size()).as("runs").isGreaterThan(50));
            calm.countDown();
            Map<JobId, Integer> before = new HashMap<>();
            jobs.forEach(job -> before.put(job, ledger.successes(job)));

            await().atMost(Duration.ofSeconds(120))
                    .untilAsserted(() -> assertThat(jobs)
                            .as("seed %d", seed)
                            .allMatch(job -> ledger.successes(job) >= before.getOrDefault(job, 0) + 3));
        } finally {
            end.countDown();
            for (Thread thread : threads) {
                thread.join(Duration.ofSeconds(60));
            }
            // L01: nobody is left, so no lock outlives its lease.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> jobs.stream().allMatch(job -> pttl(links.getFirst(), job) == -2));
            links.forEach(RedisLink::close);
        }
        assertThat(ledger.violations(jobs)).as("seed %d", seed).isEmpty();
    }

    private static void forgetScripts(RedisLink link) {
        if (!REDIS.isCas()) {
            link.call("SCRIPT", "FLUSH");
        }
    }

    private void watch(SingletonStore store, Supplier<Instant> redisNow, Faults faults) {
        while (!faults.waitFor(Duration.ofMillis(10))) {
            try {
                JobId job = jobs.get(faults.pick(jobs.size()));
                var request = new WatchRequest(
                        Duration.ofMillis(10),
                        faults.happens(80) ? AbandonPolicy.RETRY : AbandonPolicy.SKIP,
                        redisNow.get().plusMillis(40),
                        new Backoff(Duration.ofMillis(10), 2, Duration.ofMillis(50)),
                        3);
                faults.call(() -> store.watch(job, request));
            } catch (Faults.NoAnswer e) {
                // The next look sees it again.
            }
        }
    }

    /** No lock without an end, no second token, at any moment; and a hand that deletes what it should not. */
    private void inspect(RedisLink link) {
        Faults faults = faults();
        while (!faults.waitFor(Duration.ofMillis(1))) {
            for (JobId job : jobs) {
                if (faults.strikes(1) && faults.happens(50)) {
                    REDIS.call(
                            link,
                            "DEL",
                            List.of(REDIS.leaseOf(keys, job), keys.ready(job), keys.delayed(job))
                                    .get(faults.pick(3)));
                }
                if (pttl(link, job) == -1) {
                    ledger.complain("a lock without an end");
                }
                if ((Long) REDIS.call(link, "LLEN", keys.ready(job)).getFirst() > 1) {
                    ledger.complain("two tokens");
                }
            }
        }
    }

    private long pttl(RedisLink link, JobId job) {
        return (Long) REDIS.call(link, "PTTL", REDIS.leaseOf(keys, job)).getFirst();
    }

    private Faults faults() {
        return new Faults(seed + actors.incrementAndGet(), calm, end);
    }

    private RedisLink link() {
        RedisLink link = REDIS.link();
        link.now(); // sets its clock
        links.add(link);
        return link;
    }

    private SingletonStore store(RedisLink link) {
        return new SingletonStore(REDIS.scripts(link), keys, REDIS.backend());
    }

    private void start(Runnable actor) {
        threads.add(Thread.ofVirtual()
                .uncaughtExceptionHandler((thread, e) -> ledger.complain("an actor died: " + e))
                .start(actor));
    }
}
