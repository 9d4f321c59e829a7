package dev.soloist.coordination.job;

import java.time.Duration;

/**
 * Where and how the app is called. Immutable.
 *
 * @param port the app's port on localhost
 * @param path begins with a slash
 * @param timeout after which an unanswered call counts as failed
 */
public record Trigger(int port, String path, Duration timeout) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public Trigger {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("trigger.port must be between 1 and 65535");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("trigger.path must begin with /");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("trigger.timeout must be positive");
        }
    }
}
