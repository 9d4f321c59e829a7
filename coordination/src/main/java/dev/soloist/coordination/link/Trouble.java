package dev.soloist.coordination.link;

/**
 * Why there is no connection.
 *
 * @param kind what a command fails with meanwhile
 * @param text for people
 */
record Trouble(RedisUnavailable.Kind kind, String text) {

    static Trouble disconnected(String text) {
        return new Trouble(RedisUnavailable.Kind.DISCONNECTED, text);
    }

    /** Of an attempt to connect that failed. */
    static Trouble of(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        RuntimeException sorted = ServerErrors.sort(cause);
        RedisUnavailable.Kind kind =
                sorted instanceof RedisUnavailable known ? known.kind() : RedisUnavailable.Kind.DISCONNECTED;
        String message = cause.getMessage();
        return new Trouble(kind, message == null ? cause.toString() : message);
    }
}
