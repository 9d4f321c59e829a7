package dev.soloist.coordination.link;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;

/** Opens connections that nobody shares, to the primary that holds a key. Such a connection never reconnects by itself. */
interface Dedicated {

    /** Which server holds the key now, by a name that equals itself as long as it stays the same. */
    Object serverOf(String key);

    /**
     * Opens a connection; blocks until it is open, for a few seconds at most.
     *
     * @throws RuntimeException if there is none to be had now
     */
    StatefulRedisConnection<String, byte[]> open(Object server);

    /** After which a command counts as unanswered. */
    Duration commandTimeout();
}
