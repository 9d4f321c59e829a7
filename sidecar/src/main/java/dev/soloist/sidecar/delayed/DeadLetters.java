package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.Requeue;
import dev.soloist.coordination.delayed.TaskId;
import java.util.List;

/**
 * The dead letters of one job, whichever pod gave them up. Every call throws {@code RedisUnavailable} when no answer came; what
 * was asked may have been done then, and may be asked again. Thread-safe.
 */
public final class DeadLetters {

    /** Letters die no faster than this takes them: a purge ends even while poison is poured in. */
    private static final int MOST_CALLS = 1000;

    private final DelayedJob job;

    DeadLetters(DelayedJob job) {
        this.job = job;
    }

    /**
     * One page, the latest death first.
     *
     * @param skip how many to pass over, 0 to {@link #reach}
     * @param max 1 to 100
     */
    public List<DeadTask> list(int skip, int max) {
        return job.queue().dead(skip, max);
    }

    /** How many can be passed over at most: fewer where the tasks are spread over shards. */
    public int reach() {
        return job.queue().deadReach();
    }

    /** Makes a dead task ready as if it had never been tried. A repeat finds it not dead any more. */
    public Requeue requeue(TaskId id) {
        var answer = job.queue().requeue(id);
        if (answer == Requeue.REQUEUED) {
            job.meters().deadLetters("requeued", 1);
        }
        return answer;
    }

    /** Throws a dead task away. May be repeated. */
    public Discard discard(TaskId id) {
        var answer = job.queue().discard(id);
        if (answer == Discard.DISCARDED) {
            job.meters().deadLetters("discarded", 1);
        }
        return answer;
    }

    /** Throws all dead tasks away, some at a time; when it fails on the way, a repeat goes on. Returns how many. */
    public long purge() {
        long purged = 0;
        for (int call = 0; call < MOST_CALLS; call++) {
            int some = job.queue().purgeDead().dead();
            if (some == 0) {
                break;
            }
            job.meters().deadLetters("purged", some);
            purged += some;
        }
        return purged;
    }
}
