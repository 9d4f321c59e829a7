package dev.soloist.coordination.link;

import java.time.Duration;

/**
 * Where Redis is and who we are there. Immutable.
 *
 * @param host a name or an address
 * @param port 1 to 65535
 * @param credentials who we are
 * @param clientName shown by {@code CLIENT LIST}; no spaces
 * @param commandTimeout after which a command counts as unanswered; it may still be done by the server
 */
public record RedisSettings(
        String host, int port, Credentials credentials, String clientName, Duration commandTimeout) {

    /** After this a command counts as unanswered unless something else is asked for. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public RedisSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("the Redis host is empty");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the Redis port " + port + " is not between 1 and 65535");
        }
        if (commandTimeout.isNegative() || commandTimeout.isZero()) {
            throw new IllegalArgumentException("the Redis command timeout must be positive");
        }
    }

    /**
     * Settings from an address.
     *
     * @param address {@code host:port}, or {@code host} for port 6379; an IPv6 address stands in brackets
     * @throws IllegalArgumentException if the address is neither
     */
    public static RedisSettings of(String address, Credentials credentials, String clientName) {
        String trimmed = address.trim();
        int colon = trimmed.lastIndexOf(':');
        boolean hasPort = colon > trimmed.lastIndexOf(']') && colon >= 0;
        String host = hasPort ? trimmed.substring(0, colon) : trimmed;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = hasPort ? Integer.parseInt(trimmed.substring(colon + 1)) : 6379;
            return new RedisSettings(host, port, credentials, clientName, DEFAULT_COMMAND_TIMEOUT);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Redis address '" + address + "' is not host:port", e);
        }
    }
}
