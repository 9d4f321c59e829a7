package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.FaultyLink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A sidecar behind a link that breaks: produces, moves, sweeps, handles and meddles, each on a thread of its own. */
final class SimulatedPod {

    static final Duration LEASE = Duration.ofMillis(500);
    static final Duration VISIBILITY = Duration.ofMillis(400);
    private static final int MAX_ATTEMPTS = 8;

    final FaultyLink proxy;
    final String podUid;
    private final QueueUnderTest q;
    private final TaskLedger ledger;
    private final CountDownLatch calm;
    private final CountDownLatch dead = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final List<Thread> producers = new ArrayList<>();
    private volatile InstanceId me;
    private volatile List<String> segments = List.of();

    SimulatedPod(String podUid, int redisPort, TaskLedger ledger, CountDownLatch calm, long seed) {
        this.podUid = podUid;
        this.ledger = ledger;
        this.calm = calm;
        this.proxy = new FaultyLink(redisPort);
        this.q = new QueueUnderTest(RedisLink.open(RedisSettings.of(proxy.address(), Credentials.NONE, podUid)
                .withCommandTimeout(Duration.ofMillis(300))));
        this.me = InstanceId.create(podUid);
        loop(new Random(seed), 100, dice -> heartbeat());
        loop(new Random(seed + 1), 10, dice -> move());
        loop(new Random(seed + 2), 30, dice -> q.queue.sweep(me, sweep(20)));
        producers.add(loop(new Random(seed + 3), 5, this::isStormy, this::produce));
        producers.add(loop(new Random(seed + 4), 10, this::isStormy, this::meddle));
        loop(new Random(seed + 5), 2, this::consume);
        loop(new Random(seed + 6), 2, this::consume);
    }

    /** Ends at once, in the middle of whatever it does. */
    void kill() {
        dead.countDown();
        proxy.close();
        q.close();
    }

    /** Waits until all its threads are over. */
    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** In the calm: waits until nothing new will come from it, not even what a producer was about to send. */
    void joinProducers() throws InterruptedException {
        for (Thread thread : producers) {
            thread.join();
        }
    }

    private void loop(Random dice, int everyMillis, Consumer<Random> step) {
        loop(dice, everyMillis, () -> true, step);
    }

    private Thread loop(Random dice, int everyMillis, BooleanSupplier goesOn, Consumer<Random> step) {
        Thread thread = Thread.ofVirtual()
                .uncaughtExceptionHandler((_, e) -> ledger.complain("an actor died: " + e + " at "
                        + Arrays.stream(e.getStackTrace()).limit(8).toList()))
                .start(() -> {
                    while (!pause(1 + dice.nextInt(2 * everyMillis)) && goesOn.getAsBoolean()) {
                        try {
                            step.accept(dice);
                        } catch (RedisUnavailable e) {
                            pause(10);
                        }
                    }
                });
        threads.add(thread);
        return thread;
    }

    private boolean isStormy() {
        return calm.getCount() > 0;
    }

    private void heartbeat() {
        if (q.instances.heartbeat(me, LEASE) instanceof Heartbeat.Alive alive) {
            segments = alive.segments();
            return;
        }
        InstanceId fresh = InstanceId.create(podUid);
        Registering answer = certainly(() -> q.instances.register(fresh, podUid, LEASE));
        me = fresh;
        segments = List.of(fresh.value());
        if (answer instanceof Registering.Registered registered) {
            for (InstanceId before : registered.predecessors()) {
                q.instances.fence(before, new Evidence.Terminated());
                q.instances.adopt(before, fresh);
            }
        }
    }

    private void move() {
        q.queue.moveShared(50);
        for (String segment : segments) {
            Moved moved = q.queue.move(segment, 50);
            if (moved.nextHead() == null) {
                q.instances.drop(me, segment);
            }
        }
    }

    private void produce(Random dice) {
        TaskId id = TaskId.of(Nonce.create().value());
        When when = When.after(Duration.ofMillis(dice.nextInt(4) == 0 ? 0 : dice.nextInt(600)));
        NewTask task = task(id, when, OnDuplicate.values()[dice.nextInt(4)], "request of " + id);
        ledger.announce(id);
        int times = dice.nextInt(20) == 0 ? 2 : 1;
        while (times > 0 && dead.getCount() > 0) {
            switch (certainly(() -> q.queue.enqueue(me, task))) {
                case Enqueue.Accepted accepted -> {
                    ledger.accepted(id, accepted);
                    times--;
                }
                case Enqueue.Fenced fenced -> pause(20);
                case Enqueue.Unanswered unanswered -> pause(20);
                case Enqueue.Refused refused -> {
                    ledger.complain(id + " was refused: " + refused);
                    times = 0;
                }
            }
        }
    }

    private void meddle(Random dice) {
        TaskId id = ledger.any(dice);
        if (id == null) {
            return;
        }
        ledger.meddle(id);
        if (dice.nextBoolean()) {
            if (q.queue.cancel(id) == Cancellation.CANCELLED) {
                ledger.cancelled(id);
            }
        } else {
            q.queue.reschedule(id, When.after(Duration.ofMillis(dice.nextInt(400))), me);
        }
    }

    private void consume(Random dice) {
        var request = new ReserveRequest(Nonce.create(), 1 + dice.nextInt(5), VISIBILITY, MAX_ATTEMPTS);
        long sent = System.nanoTime();
        Reservation answer = null;
        for (int tries = 0; tries < 4 && answer == null; tries++) {
            sent = System.nanoTime();
            try {
                answer = q.queue.reserve(me, request);
                if (dice.nextInt(20) == 0) {
                    sent = System.nanoTime();
                    answer = q.queue.reserve(me, request);
                }
            } catch (RedisUnavailable e) {
                pause(20);
            }
        }
        if (answer instanceof Reservation.Reserved reserved) {
            for (ReservedTask task : reserved.tasks()) {
                ledger.delivered(task, reserved.redisNow(), sent);
            }
            for (ReservedTask task : reserved.tasks()) {
                handle(dice, task, new Since(sent, reserved.redisNow()));
            }
        }
    }

    /** When a task came to be held, by both clocks: what is judged by Redis' may not be measured by ours alone, for either may jump. */
    private final class Since {

        private final long sent;
        private final Instant redis;

        Since(long sent, Instant redis) {
            this.sent = sent;
            this.redis = redis;
        }

        /** The longest it can have been; empty if Redis does not tell its time. */
        Optional<Duration> untilNow() {
            try {
                Duration there = Duration.between(redis, q.link.now());
                Duration here = Duration.ofNanos(System.nanoTime() - sent);
                return Optional.of(here.compareTo(there) > 0 ? here : there);
            } catch (RedisUnavailable e) {
                return Optional.empty();
            }
        }
    }

    private void handle(Random dice, ReservedTask task, Since reserved) {
        boolean storm = isStormy();
        Since since = reserved;
        int roll = storm ? dice.nextInt(100) : 99;
        if (roll < 2) {
            return; // a holder that forgets what it holds
        }
        // A stop of the whole process that is longer than the visibility, or a piece of work.
        if (pause(roll < 5 ? 600 : dice.nextInt(20))) {
            return;
        }
        if (roll >= 5 && roll < 10) {
            long sent = System.nanoTime();
            if (q.queue.extend(task.held(), VISIBILITY) instanceof Extension.Extended extended) {
                since = new Since(sent, extended.redisNow());
            }
        }
        if (roll >= 10 && roll < 25) {
            Duration delay = Duration.ofMillis(dice.nextBoolean() ? 0 : dice.nextInt(100));
            GiveBack back = switch (roll) {
                case 10 -> GiveBack.dead(task.held(), "no");
                case 11, 12, 13, 14 -> GiveBack.free(task.held(), delay, "busy");
                default -> GiveBack.retry(task.held(), delay, "failed");
            };
            var tries = new AtomicInteger();
            GivenBack answer = certainly(() -> {
                tries.incrementAndGet();
                return q.queue.giveBack(me, back, MAX_ATTEMPTS);
            });
            // A first try may have been done without an answer; then somebody else may hold the task by now.
            if (tries.get() == 1 || answer != GivenBack.STALE) {
                ledger.givenBack(task, answer, since::untilNow, VISIBILITY);
            }
            return;
        }
        Ack answer = certainly(() -> q.queue.ack(task.held()));
        ledger.acked(task, answer, since::untilNow, VISIBILITY);
        if (roll > 90) {
            ledger.acked(task, certainly(() -> q.queue.ack(task.held())), since::untilNow, VISIBILITY);
        }
    }

    /** Repeats a call until it is answered or the pod dies. */
    private <T> T certainly(Supplier<T> call) {
        @Nullable RedisUnavailable last;
        do {
            try {
                return call.get();
            } catch (RedisUnavailable e) {
                last = e;
            }
        } while (!pause(10));
        throw last;
    }

    /** Does nothing for a while; returns whether the pod is dead. */
    private boolean pause(int millis) {
        try {
            return dead.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
