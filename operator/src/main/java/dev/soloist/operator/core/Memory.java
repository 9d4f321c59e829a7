package dev.soloist.operator.core;

import org.jspecify.annotations.Nullable;

/// What must outlive a loss of Redis, and is therefore kept in the cluster (in the job's status).
///
/// @param term the upper part of fences; only ever raised
/// @param seeded the mark of the job's state in Redis and the server it was seen on, as one text; null
///   before the
///   first
/// seed
public record Memory(long term, @Nullable String seeded) {

    /// Nothing is known yet.
    public static final Memory NONE = new Memory(1, null);

    public Memory {
        if (term < 0) {
            throw new IllegalArgumentException("a term is never negative: " + term);
        }
    }
}
