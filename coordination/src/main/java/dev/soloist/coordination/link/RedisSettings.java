package dev.soloist.coordination.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, how to be sure of it, and who we are there. Two settings are equal if a connection made with one is
 * as good as one made with the other. Immutable.
 *
 * @param topology the servers and how they are arranged
 * @param credentials who we are
 * @param tls how connections are encrypted, or null if they are not
 * @param clientName shown by {@code CLIENT LIST}; no spaces
 * @param commandTimeout after which a command counts as unanswered; it may still be done by the server
 */
public record RedisSettings(
        Topology topology,
        Credentials credentials,
        @Nullable Tls tls,
        String clientName,
        Duration commandTimeout) implements StoreSettings {

    /** After this a command counts as unanswered unless something else is asked for. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public RedisSettings {
        if (commandTimeout.isNegative() || commandTimeout.isZero()) {
            throw new IllegalArgumentException("the Redis command timeout must be positive");
        }
    }

    /** Settings with the default timeout and without encryption. */
    public static RedisSettings of(Topology topology, Credentials credentials, String clientName) {
        return new RedisSettings(topology, credentials, null, clientName, DEFAULT_COMMAND_TIMEOUT);
    }

    /**
     * Settings of one server.
     *
     * @param address {@code host:port}, or {@code host} for port 6379; an IPv6 address stands in brackets
     * @throws IllegalArgumentException if the address is neither
     */
    public static RedisSettings of(String address, Credentials credentials, String clientName) {
        return of(new Topology.Standalone(HostAndPort.parse(address)), credentials, clientName);
    }

    /** The same with another timeout. */
    public RedisSettings withCommandTimeout(Duration timeout) {
        return new RedisSettings(topology, credentials, tls, clientName, timeout);
    }

    /** The same with another user. */
    public RedisSettings withCredentials(Credentials other) {
        return new RedisSettings(topology, other, tls, clientName, commandTimeout);
    }

    /** The same over encrypted connections. */
    public RedisSettings withTls(Tls encryption) {
        return new RedisSettings(topology, credentials, encryption, clientName, commandTimeout);
    }
}
