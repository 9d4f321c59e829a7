package dev.soloist.coordination.cas;

/**
 * A key's value with its end.
 *
 * @param endsAt ms since the epoch by the server's clock, or {@link #NEVER}
 */
record Stored(Value value, long endsAt) {

    static final long NEVER = 0;

    Stored(Value value) {
        this(value, NEVER);
    }

    boolean ends() {
        return endsAt != NEVER;
    }
}
