package dev.soloist.coordination.link;

/**
 * No usable answer came from Redis. The command may have been done, may still be done, or never: only a call that is
 * idempotent by its nonce may be repeated. Never read it as "acquired" or as "nobody holds it".
 */
public final class RedisUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why there is no answer. */
    public enum Kind {
        /** There is no connection, or it broke while the command was under way. */
        DISCONNECTED,
        /** No answer within the command timeout. */
        TIMEOUT,
        /** The server refuses for now: loading, read-only, busy, too few replicas, slot in migration. */
        REFUSED,
        /** The server is out of memory and refuses what would need more; nothing was written. */
        FULL,
        /** The server does not accept our user, or the user may not do this. */
        FORBIDDEN
    }

    private final Kind kind;

    RedisUnavailable(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    RedisUnavailable(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The server is there, but what was asked of it could not be done now; nothing of it was done. */
    public static RedisUnavailable refused(String message) {
        return new RedisUnavailable(Kind.REFUSED, message);
    }

    /** Why there is no answer. */
    public Kind kind() {
        return kind;
    }
}
