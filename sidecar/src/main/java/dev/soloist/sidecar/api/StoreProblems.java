package dev.soloist.sidecar.api;

import dev.soloist.coordination.link.RedisUnavailable;

/** What an absent store means for a caller. */
final class StoreProblems {

    private StoreProblems() {}

    static Problem of(RedisUnavailable unanswered) {
        return switch (unanswered.kind()) {
            case FULL -> new Problem(ProblemKind.STORE_FULL, "The store is out of memory; nothing was written.");
            case FORBIDDEN -> new Problem(ProblemKind.STORE_UNAVAILABLE, "The store does not accept this pod's user.");
            case TIMEOUT, DISCONNECTED, REFUSED ->
                new Problem(
                        ProblemKind.STORE_UNAVAILABLE,
                        "No answer from the store in time. What was asked may have been done: repeat it with the same id and"
                                + " Idempotency-Key.");
        };
    }
}
