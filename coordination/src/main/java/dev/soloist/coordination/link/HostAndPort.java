package dev.soloist.coordination.link;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a server listens. Immutable.
 *
 * @param host a name or an address, an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record HostAndPort(String host, int port) {

    private static final int DEFAULT_PORT = 6379;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public HostAndPort {
        if (host.isBlank()) {
            throw new IllegalArgumentException("the Redis host is empty");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the Redis port " + port + " is not between 1 and 65535");
        }
    }

    /**
     * Reads one address.
     *
     * @param text {@code host:port}, or {@code host} for port 6379; an IPv6 address stands in brackets
     * @throws IllegalArgumentException if the text is neither
     */
    public static HostAndPort parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.lastIndexOf(':');
        boolean hasPort = colon > trimmed.lastIndexOf(']') && colon >= 0;
        String host = hasPort ? trimmed.substring(0, colon) : trimmed;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0 || host.indexOf(' ') >= 0) {
            throw new IllegalArgumentException("Redis address '" + text + "' is not host:port");
        }
        try {
            return new HostAndPort(host, hasPort ? Integer.parseInt(trimmed.substring(colon + 1)) : DEFAULT_PORT);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Redis address '" + text + "' is not host:port", e);
        }
    }

    /**
     * Reads addresses with commas between them.
     *
     * @throws IllegalArgumentException if one of them is none
     */
    public static List<HostAndPort> parseAll(String text) {
        var all = new ArrayList<HostAndPort>();
        for (String one : text.split(",", -1)) {
            all.add(parse(one));
        }
        return List.copyOf(all);
    }

    /** As {@link #parse(String)} reads it. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
