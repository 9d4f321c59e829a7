package dev.soloist.coordination.job;

/** How a lease is kept in Redis. */
public enum Backend {
    /** One key per lease. */
    STRING,
    /** One hash of all leases of a namespace beside a sorted set of their ends, so that they can be listed. */
    HASH
}
