package dev.soloist.coordination.singleton;

import java.time.Duration;

/**
 * What a holder may believe of its lease, counted on its own monotonic clock. Immutable, pure: each renewal makes a new one.
 * A holder that was stopped for longer than the lease learns so by asking {@link #isValidAt} before its next visible step.
 *
 * @param fence of the lease
 * @param deadlineNanos {@link System#nanoTime} from which it must be taken for lost, whatever Redis may say later
 */
public record SingletonLease(Fence fence, long deadlineNanos) {
    private static final Duration LEAST_MARGIN = Duration.ofMillis(500);

    /**
     * A lease from the answer to one call.
     *
     * @param sentNanos {@link System#nanoTime} before that very call was sent; never that of an earlier try
     * @param remaining as the answer says
     * @param ttl of the policy, from which the safety margin follows
     */
    public static SingletonLease of(Fence fence, long sentNanos, Duration remaining, Duration ttl) {
        return new SingletonLease(
                fence, sentNanos + remaining.minus(margin(ttl)).toNanos());
    }

    /** The same lease after a renewal; an earlier deadline never comes back. */
    public SingletonLease renewed(long sentNanos, Duration remaining, Duration ttl) {
        SingletonLease later = of(fence, sentNanos, remaining, ttl);
        return later.deadlineNanos - deadlineNanos > 0 ? later : this;
    }

    /** The part of a lease that its holder does not use: a tenth, at least 500 ms, at most half. */
    public static Duration margin(Duration ttl) {
        Duration tenth = ttl.dividedBy(10);
        Duration wanted = tenth.compareTo(LEAST_MARGIN) > 0 ? tenth : LEAST_MARGIN;
        Duration half = ttl.dividedBy(2);
        return wanted.compareTo(half) < 0 ? wanted : half;
    }

    /** Whether work may go on at that reading of {@link System#nanoTime}. */
    public boolean isValidAt(long nanos) {
        return deadlineNanos - nanos > 0;
    }
}
