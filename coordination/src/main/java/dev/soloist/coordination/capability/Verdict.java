package dev.soloist.coordination.capability;

import java.util.Map;

/**
 * What a look at a store led to. Immutable.
 *
 * @param seen what it is based on
 */
public record Verdict(StoreMode mode, Capabilities seen) {

    /** Before the first look. */
    public static final Verdict NONE = new Verdict(
            new StoreMode.Refused(RefusalReason.NOT_PROBED, "it is not known yet what the store can do"),
            new Capabilities(ServerFacts.UNKNOWN, Map.of()));
}
