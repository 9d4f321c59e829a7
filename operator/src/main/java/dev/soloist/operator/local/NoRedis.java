package dev.soloist.operator.local;

/// There is no Redis and none can be started; the message says what to do.
final class NoRedis extends Exception {

    private static final long serialVersionUID = 1L;

    NoRedis(String why) {
        super("No Redis can be used (" + why
                + "). Install redis-server or valkey's redis-server so that it is on the PATH,"
                + " or set REDIS_URL=redis://host:port to one that runs.");
    }
}
