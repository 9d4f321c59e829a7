package dev.soloist.coordination.job;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a job may ask for beyond what every version and every server has. */
public enum Feature {
    /** {@link Backend#HASH}. */
    HASH_LEASES,
    /** {@link SingletonWork#cooldown()}. */
    COOLDOWN,
    /** {@link Transport.Stream}. */
    STREAM,
    /** {@link Delivery#AT_MOST_ONCE}. */
    AT_MOST_ONCE,
    /** {@link DelayedWork#deduplication()}. */
    DEDUPLICATION,
    /** {@link DelayedWork#rateLimit()}. */
    RATE_LIMIT,
    /** {@link DelayedWork#shards()} above one. */
    SHARDS,
    /** {@link BroadcastWork}. */
    BROADCAST;

    /** What a job asks for. A sidecar that lacks one of these must not take part: it would break the promise. */
    public static Set<Feature> of(JobDefinition job) {
        EnumSet<Feature> asked = EnumSet.noneOf(Feature.class);
        switch (job.work()) {
            case SingletonWork work -> {
                note(asked, HASH_LEASES, job.policy().backend() == Backend.HASH);
                note(asked, COOLDOWN, !work.cooldown().isZero());
            }
            case DelayedWork work -> {
                note(asked, STREAM, work.transport() instanceof Transport.Stream);
                note(asked, AT_MOST_ONCE, work.delivery() == Delivery.AT_MOST_ONCE);
                note(asked, DEDUPLICATION, work.deduplication() != null);
                note(asked, RATE_LIMIT, work.rateLimit() != null);
                note(asked, SHARDS, work.shards() > 1);
            }
            case BroadcastWork _ -> note(asked, BROADCAST, true);
        }
        return Collections.unmodifiableSet(asked);
    }

    private static void note(Set<Feature> asked, Feature feature, boolean isAsked) {
        if (isAsked) {
            asked.add(feature);
        }
    }
}
