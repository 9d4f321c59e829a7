package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.shard.Shard;
import dev.soloist.sidecar.trigger.App;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that works for one shard of a job in this pod; a shard whose server is away keeps nothing from the others. Thread-safe. */
final class ShardWorker {

    private static final Logger LOGGER = LoggerFactory.getLogger(ShardWorker.class);

    private final Shard shard;
    private final Runnable onReconnect;
    private final DelayedJob job;
    private final Membership membership;
    private final Mover mover;
    private final Acknowledger acknowledger;
    private final Consumer consumer;
    private final Sweeper sweeper;
    private final Adopter adopter;
    private final AutoCloseable subscription;

    /** A worker that is not started yet. */
    ShardWorker(DelayedJob whole, Shards shards, Shard shard, App app, Room room, Runnable onReconnect) {
        this.shard = shard;
        this.onReconnect = onReconnect;
        this.job = whole.ofShard(shard);
        this.membership = new Membership(job, shard, shards, this::wakeMover);
        this.mover = new Mover(job, membership);
        this.acknowledger = new Acknowledger(job);
        this.consumer = new Consumer(job, membership, app, acknowledger, room, shards, mover::wake);
        this.sweeper = new Sweeper(job, membership, mover);
        this.adopter = new Adopter(job, membership);
        this.subscription =
                job.link().subscribe(job.keys().queueWake(job.definition().id()), this::woken);
    }

    void wakeMover() {
        mover.wake();
    }

    private void woken(String what) {
        switch (what) {
            case "left" -> adopter.wake();
            case "fenced" -> {
                // Perhaps it is us: all are fenced when the number of shards changes.
                membership.wake();
                adopter.wake();
            }
            case "adopted" -> membership.wake();
            case "open" -> consumer.opened();
            case "" -> {
                onReconnect.run();
                membership.wake();
                mover.wake();
                // What was said while nobody listened may have been that there is room.
                consumer.opened();
                adopter.wake();
            }
            default -> consumer.wake();
        }
    }

    void start() {
        acknowledger.start();
        membership.start();
        mover.start();
        consumer.start();
        sweeper.start();
        adopter.start();
    }

    Shard shard() {
        return shard;
    }

    DelayedJob job() {
        return job;
    }

    Membership membership() {
        return membership;
    }

    void wakeConsumer() {
        consumer.wake();
    }

    /** Whether tasks may be on their way here, or away from here. */
    boolean isBusy() {
        return consumer.isReserving() || acknowledger.open() > 0;
    }

    /** Handled tasks that Redis has not been told of yet. */
    int open() {
        return acknowledger.open();
    }

    /** Resigns and ends for good. */
    void leave() {
        try {
            subscription.close();
        } catch (Exception alreadyGone) {
            LOGGER.debug("job {}: the queue's channel could not be left", job.name(), alreadyGone);
        }
        List.<AutoCloseable>of(consumer, mover, sweeper, adopter, membership).forEach(ShardWorker::close);
        membership.leave();
        acknowledger.close();
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception unexpected) {
            LOGGER.warn("a part did not close", unexpected);
        }
    }
}
