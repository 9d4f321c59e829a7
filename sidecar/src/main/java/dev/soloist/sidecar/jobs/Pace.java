package dev.soloist.sidecar.jobs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often the loops look when nobody wakes them. Messages make things quick, these make them certain.
 *
 * @param registration between two looks at the registration board
 * @param claim longest wait between two looks at a singleton job
 * @param watchdog between two looks of the watchdog that stands in for the operator's
 * @param queue longest wait of mover and consumer
 * @param instanceLease after this a silent instance may be called dead; renewed at a third
 * @param adoptAfter further silence before another sidecar fences it
 * @param adopt between two looks for instances to adopt
 * @param counts between two readings of queue sizes for the metrics
 */
public record Pace(
        Duration registration,
        Duration claim,
        Duration watchdog,
        Duration queue,
        Duration instanceLease,
        Duration adoptAfter,
        Duration adopt,
        Duration counts) {

    public static final Pace DEFAULT = new Pace(
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(15));

    /**
     * The same pace for one of so many shards: up to four are looked at as often as a single one, more of them less often each. What
     * there is to do they are told by messages all the same.
     */
    public Pace spread(int shards) {
        return new Pace(
                registration,
                claim,
                watchdog,
                queue.multipliedBy(Math.max(4, shards)).dividedBy(4),
                instanceLease,
                adoptAfter,
                adopt,
                counts);
    }

    /** The span give or take a fifth, so that pods that started together drift apart. */
    public static Duration jittered(Duration span) {
        long nanos = span.toNanos();
        return Duration.ofNanos(nanos - nanos / 5 + ThreadLocalRandom.current().nextLong(nanos / 5 * 2 + 1));
    }

    /** The smaller of two spans. */
    public static Duration earlier(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
