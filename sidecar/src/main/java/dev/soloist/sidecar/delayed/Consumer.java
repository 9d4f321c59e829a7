package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.trigger.App;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reserves ready tasks of one shard as far as there is room in this pod, and delivers each on a thread of its own. */
final class Consumer implements AutoCloseable {

    /** Batches are small: what is reserved here cannot be handled elsewhere until its visibility is over. */
    private static final int BATCH = 16;

    private static final Logger LOGGER = LoggerFactory.getLogger(Consumer.class);

    /** Redis' clock may be set, or its data be lost, while a long window is closed. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    private final DelayedJob job;
    private final Membership membership;
    private final App app;
    private final Acknowledger acknowledger;
    private final Room room;
    private final Shards shards;
    private final Runnable onGivenBack;
    private final BackgroundLoop loop;
    private @Nullable Nonce pending;
    private volatile long standBackUntil = System.nanoTime();
    private long closedUntil = System.nanoTime();
    private @Nullable RateLimit closedUnder;
    private final AtomicLong openings = new AtomicLong();
    private long closedAfter;
    private volatile boolean reserving;
    /** Whether the last reservation was answered: a shard that may be away is asked with one place only. */
    private boolean answered = true;

    Consumer(
            DelayedJob job,
            Membership membership,
            App app,
            Acknowledger acknowledger,
            Room room,
            Shards shards,
            Runnable onGivenBack) {
        this.job = job;
        this.membership = membership;
        this.app = app;
        this.acknowledger = acknowledger;
        this.room = room;
        this.shards = shards;
        this.onGivenBack = onGivenBack;
        this.loop = new BackgroundLoop("consumer-" + job.label(), this::runOnce, _ -> job.loopFailed("consumer"));
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    /** Somebody made room in the rate limit: what was said of the window before is no reason to wait. */
    void opened() {
        openings.incrementAndGet();
        loop.wake();
    }

    /** Whether tasks may be on their way here from Redis. */
    boolean isReserving() {
        return reserving;
    }

    private Duration runOnce() {
        // Before the look at what was asked for: who stops the job and then finds nothing busy may rely on that nothing
        // begins.
        reserving = true;
        try {
            return turn();
        } finally {
            reserving = false;
            job.ended().raise();
        }
    }

    private Duration turn() {
        var ceiling = Pace.jittered(job.pace().queue());
        var standBack = Duration.ofNanos(standBackUntil - System.nanoTime());
        if (!job.isStoreUsable() || !job.consumes()) {
            return ceiling;
        }
        if (standBack.isPositive()) {
            return Pace.earlier(standBack, ceiling);
        }
        // Until the window opens nobody is given a task, so nothing else that wakes this loop is a reason to ask.
        var closed = Duration.ofNanos(closedUntil - System.nanoTime());
        if (closed.isPositive()
                && closedAfter == openings.get()
                && Objects.equals(closedUnder, job.work().rateLimit())) {
            return closed;
        }
        int places = room.take(this, answered || shards.count() == 1 ? BATCH : 1, shards.count());
        if (places == 0) {
            return ceiling;
        }
        answered = false;
        try {
            var wait = reserve(places, ceiling);
            answered = true;
            return wait;
        } finally {
            room.arrived(places);
        }
    }

    private Duration reserve(int max, Duration ceiling) {
        var instance = membership.require();
        var nonce = pending == null ? Nonce.create() : pending;
        pending = nonce;
        var work = job.work();
        long sent = System.nanoTime();
        long opened = openings.get();
        var answer = job.queue()
                .reserve(
                        instance,
                        new ReserveRequest(
                                nonce, max, work.visibilityTimeout(), work.mostReservations(), work.rateLimit()));
        pending = null;
        return switch (answer) {
            case Reservation.Reserved(List<ReservedTask> tasks, boolean more, var redisNow, Duration closedFor) -> {
                for (var task : tasks) {
                    job.meters().taskStarted(Duration.between(task.dueAt(), redisNow));
                    deliver(new Delivery(job, app, task, work.visibilityTimeout(), sent));
                }
                job.meters().reserved(tasks.isEmpty() ? closedFor.isPositive() ? "closed" : "empty" : "tasks");
                closedUntil = System.nanoTime()
                        + Pace.earlier(closedFor, LONGEST_SLEEP).toNanos();
                closedUnder = work.rateLimit();
                closedAfter = opened;
                yield more || closedFor.isPositive() ? Duration.ZERO : ceiling;
            }
            case Reservation.Fenced() -> {
                membership.fenced(instance);
                yield Duration.ZERO;
            }
        };
    }

    private void deliver(Delivery delivery) {
        room.running().add(delivery);
        job.meters().inFlight().incrementAndGet();
        Thread.ofVirtual().name("deliver-" + job.name()).start(() -> {
            try {
                conclude(delivery);
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException broken) {
                job.loopFailed("delivery");
            } finally {
                room.ended(delivery, this);
                job.meters().inFlight().decrementAndGet();
                job.ended().raise();
            }
        });
    }

    private void conclude(Delivery delivery) throws InterruptedException {
        switch (delivery.execute()) {
            case Conclusion.Acknowledge() -> acknowledger.done(delivery.held(), delivery.took());
            case Conclusion.Give(var back, boolean standBack) -> {
                if (standBack) {
                    standBackUntil = System.nanoTime() + Conclusion.STAND_BACK.toNanos();
                }
                delivery.giveBack(membership, back);
                onGivenBack.run();
            }
            case Conclusion.Removed(String failure) -> {
                job.meters().delivered(failure.isEmpty() ? "acked" : "dropped", delivery.took());
                if (!failure.isEmpty()) {
                    LOGGER.info(
                            "job {}: task {} failed and is not tried again, as AtMostOnce says: {}",
                            job.name(),
                            delivery.held().id(),
                            failure);
                }
            }
            case Conclusion.Lost(String why) -> {
                job.meters().delivered("dropped", delivery.took());
                LOGGER.warn(
                        "job {}: task {} is lost, for AtMostOnce lets its app not be called: {}",
                        job.name(),
                        delivery.held().id(),
                        why);
            }
            case Conclusion.Nothing() -> job.meters().delivered("stale", delivery.took());
        }
    }

    @Override
    public void close() {
        loop.close();
        room.forget(this);
    }
}
