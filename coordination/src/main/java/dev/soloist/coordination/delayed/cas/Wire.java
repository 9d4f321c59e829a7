package dev.soloist.coordination.delayed.cas;

import java.util.List;

/** Carries one command to the server, once. */
@FunctionalInterface
interface Wire {

    /**
     * Sends a command.
     *
     * @return the reply's elements, nested as they came; a single value is a list of one
     * @throws dev.soloist.coordination.link.RedisUnavailable if no usable answer came; it may have been done
     */
    List<Object> call(String command, List<byte[]> arguments);
}
