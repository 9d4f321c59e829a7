package dev.soloist.operator.job;

import dev.soloist.coordination.job.Feature;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// What is not offered on a store that is used without scripts, and why: each sentence names the field, the reason and
/// what to change. A feature that is not here is offered there. Pure.
final class NeedsScripts {

    /// Beside [Feature]: only if the user asks for it, for the default gives way by itself.
    static final String EVENT_LOG = "spec.eventLog needs a store with scripts, for an event is written in the very step"
            + " that ends a run, and mode Cas has no streams: set maxLength: 0, remove eventLog, or use such a store";

    private static final Map<Feature, String> WHY = new EnumMap<>(Map.of(
            Feature.HASH_LEASES,
            "LockPolicy spec.backend Hash needs a store with scripts, for a lease and its end in the list of all leases"
                    + " are two keys that must change together: set backend: String, or use such a store",
            Feature.STREAM,
            "spec.delayed.transport Stream needs a store with scripts, for a stream's entry and the task's record must"
                    + " change together: set transport: List, or use such a store",
            Feature.AT_MOST_ONCE,
            "spec.delayed.delivery AtMostOnce needs a store with scripts, for a task must be gone in the step that hands"
                    + " it out: set delivery: AtLeastOnce, or use such a store",
            Feature.DEDUPLICATION,
            "spec.delayed.deduplication needs a store with scripts, for a key and its task must be taken together: remove"
                    + " deduplication and use ids, or use such a store",
            Feature.RATE_LIMIT,
            "spec.delayed.rateLimit needs a store with scripts, for counting and handing out must be one step or the limit"
                    + " is not exact: remove rateLimit, or use such a store",
            Feature.SHARDS,
            "spec.delayed.shards above 1 needs a store with scripts, for a server in mode Cas is one node and gains nothing"
                    + " by it: set shards: 1, or use such a store"));

    private NeedsScripts() {}

    /// Why the feature is not offered there; empty if it is.
    static Optional<String> why(Feature feature) {
        return Optional.ofNullable(WHY.get(feature));
    }
}
