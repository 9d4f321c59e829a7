package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Pods that produce and handle tasks over links that break, stall and lose answers, that freeze, forget and are killed and
 * replaced; two reclaimers; a repair that runs all the while; and a server that forgets its scripts.
 */
@Timeout(300)
class DelayedClusterIT {

    private static final int PODS = 4;
    private static final Duration STORM = Duration.ofSeconds(10);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());
    private final Random dice = new Random(seed);
    private final TaskLedger ledger = new TaskLedger();
    private final CountDownLatch calm = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<SimulatedPod> pods = new ArrayList<>();
    private final List<SimulatedPod> killed = new ArrayList<>();
    private final List<Thread> operators = new ArrayList<>();
    private int podNumber;

    @Test
    void r01_everyAcceptedTaskEndsNoneIsEarlyAndNoHolderIsRobbed() throws Exception {
        try (var q = open()) {
            for (int i = 0; i < PODS; i++) {
                pods.add(pod("pod-" + podNumber++));
            }
            operator(1, this::reclaim);
            operator(2, this::reclaim);
            operator(3, this::tend);
            try {
                storm(q);
                calm.countDown();
                pods.forEach(pod -> pod.proxy.heal());
                for (SimulatedPod pod : pods) {
                    pod.joinProducers();
                }
                await().atMost(Duration.ofSeconds(120))
                        .ignoreExceptionsInstanceOf(RedisUnavailable.class)
                        .untilAsserted(() -> assertThat(q.hash(KEYS.tasks(JOB)))
                                .as("seed %d, %s", seed, ledger.violations())
                                .hasSameSizeAs(q.zset(KEYS.dead(JOB)).keySet()));
            } finally {
                end.countDown();
                pods.forEach(SimulatedPod::kill);
                for (Thread operator : operators) {
                    operator.join();
                }
                for (SimulatedPod pod : pods) {
                    pod.join();
                }
                for (SimulatedPod pod : killed) {
                    pod.join();
                }
            }
            everyAcceptedTaskHasEnded(q);
        }
        assertThat(ledger.violations()).as("seed %d", seed).isEmpty();
        assertThat(ledger.acks()).isGreaterThan(enough());
        assertThat(ledger.deliveries()).isGreaterThan(ledger.acks());
        assertThat(killed).isNotEmpty();
    }

    /** Where pods connect to. */
    int port() {
        return REDIS.port();
    }

    /** The queue as the test and the operators see it. */
    QueueUnderTest open() {
        return new QueueUnderTest(REDIS.link());
    }

    /** How many tasks a storm has to see handled; a slow machine gets more time for them. */
    int enough() {
        return 200;
    }

    /** What befalls the server. */
    void strike(QueueUnderTest q, Random dice) {
        q.link.call("SCRIPT", "FLUSH");
    }

    void indexesAreInStep(QueueUnderTest q) {
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    private void everyAcceptedTaskHasEnded(QueueUnderTest q) {
        Map<String, Long> dead = q.zset(KEYS.dead(JOB));
        for (TaskId id : ledger.accepted()) {
            TaskState state =
                    patiently(() -> q.queue.inspect(id)).map(TaskView::state).orElse(null);
            if (state == null) {
                ledger.complain(id + " was accepted and is lost");
            } else if (state != TaskState.DONE && state != TaskState.CANCELLED && !dead.containsKey(id.text())) {
                ledger.complain(id + " is " + state + " after the end");
            } else if (ledger.knowsAnAckOf(id) && state != TaskState.DONE) {
                ledger.complain(id + " was acknowledged and is " + state);
            }
        }
        indexesAreInStep(q);
        assertThat(q.hash(KEYS.attempts(JOB)).keySet()).isEqualTo(dead.keySet());
    }

    /** What was done to the server last may strike a call that only looks. */
    private static <T> T patiently(Supplier<T> look) {
        try {
            return look.get();
        } catch (RedisUnavailable struck) {
            return await().ignoreExceptionsInstanceOf(RedisUnavailable.class).until(look::get, Objects::nonNull);
        }
    }

    private void storm(QueueUnderTest q) throws InterruptedException {
        long until = System.nanoTime() + STORM.toNanos();
        long atTheLatest = until + 9 * STORM.toNanos();
        while ((System.nanoTime() - until < 0 || (!isEnough() && System.nanoTime() - atTheLatest < 0))
                && !end.await(20 + dice.nextInt(150), TimeUnit.MILLISECONDS)) {
            int victim = dice.nextInt(pods.size());
            SimulatedPod pod = pods.get(victim);
            switch (dice.nextInt(7)) {
                case 0, 1 -> faultFor(pod, 10 + dice.nextInt(80), pod.proxy::dropReplies);
                case 2 -> faultFor(pod, 50 + dice.nextInt(300), pod.proxy::cut);
                case 3 -> faultFor(pod, 100 + dice.nextInt(900), pod.proxy::hang);
                case 4 -> faultFor(pod, 200, () -> pod.proxy.delay(Duration.ofMillis(dice.nextInt(30))));
                case 5 -> {
                    try {
                        strike(q, dice);
                    } catch (RedisUnavailable e) {
                        // Struck already.
                    }
                }
                default -> {
                    pod.kill();
                    killed.add(pod);
                    // Either the container starts again in its pod, or another pod takes its place.
                    pods.set(victim, pod(dice.nextBoolean() ? pod.podUid : "pod-" + podNumber++));
                }
            }
        }
    }

    /** How much comes about in a time depends on the machine, and what does on chance. */
    private boolean isEnough() {
        return ledger.acks() > enough() && ledger.deliveries() > ledger.acks() && !killed.isEmpty();
    }

    private void faultFor(SimulatedPod pod, int millis, Runnable fault) throws InterruptedException {
        fault.run();
        end.await(millis, TimeUnit.MILLISECONDS);
        pod.proxy.heal();
    }

    private SimulatedPod pod(String podUid) {
        return new SimulatedPod(podUid, port(), ledger, calm, seed + 100L * podNumber++);
    }

    private interface Duty {
        void once(QueueUnderTest q, Random dice);
    }

    private void operator(int number, Duty duty) {
        var own = new Random(seed - number);
        operators.add(Thread.ofVirtual()
                .uncaughtExceptionHandler((thread, e) -> ledger.complain("an operator died: " + e))
                .start(() -> {
                    try (var q = open()) {
                        while (!end.await(1 + own.nextInt(60), TimeUnit.MILLISECONDS)) {
                            try {
                                duty.once(q, own);
                            } catch (RedisUnavailable e) {
                                // The server itself was struck: there is a next time.
                            }
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
    }

    private void reclaim(QueueUnderTest q, Random own) {
        List<InstanceView> views = q.instances.list();
        List<InstanceId> living = views.stream()
                .filter(view -> view.state() == InstanceView.State.ACTIVE
                        && view.overFor().isZero())
                .map(InstanceView::id)
                .toList();
        for (InstanceView view : views) {
            if (view.state() == InstanceView.State.ACTIVE && !view.overFor().isZero()) {
                q.instances.fence(view.id(), new Evidence.LeaseOver(Duration.ofMillis(150)));
            } else if (view.state() == InstanceView.State.FENCED && !living.isEmpty()) {
                q.instances.adopt(view.id(), living.get(own.nextInt(living.size())));
            }
        }
    }

    private Repair step = Repair.begin(SimulatedPod.VISIBILITY, Duration.ofSeconds(60));

    private void tend(QueueUnderTest q, Random own) {
        q.queue.sweepToShared(sweep(10));
        q.queue.purge();
        q.queue.counts(List.of());
        step = q.queue.repair(step).next();
        if (step.isFinished()) {
            step = Repair.begin(SimulatedPod.VISIBILITY, Duration.ofSeconds(60));
        }
    }
}
