package dev.soloist.coordination.link;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.function.Function;

/** Opens connections that nobody shares, to the primary that holds a key. Such a connection never reconnects by itself. */
interface Dedicated {

    /**
     * Does something with the server that holds the key now, which is told by a name that equals itself as long as server and
     * settings stay the same. While it is done, no change of settings takes its connections away.
     *
     * @throws RedisUnavailable if nobody knows which server that is, or as the call throws
     */
    <T> T with(String key, Function<Object, T> call);

    /** Says that a connection to the server was refused or ended: whoever keeps watch over it looks at once. */
    void suspect(Object server);

    /**
     * Opens a connection; blocks until it is open, for a few seconds at most.
     *
     * @throws RuntimeException if there is none to be had now
     */
    StatefulRedisConnection<String, byte[]> open(Object server);

    /** After which a command counts as unanswered. */
    Duration commandTimeout();
}
