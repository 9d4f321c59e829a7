package dev.soloist.coordination.broadcast;

import dev.soloist.coordination.delayed.Payload;

/**
 * One piece of news. Immutable.
 *
 * @param id by which a second copy is known; 1 to 100 characters
 * @param payload at most {@link #MAX_PAYLOAD} bytes
 */
public record Broadcast(String id, Payload payload) {

    /** The server keeps a copy for each listener that is slow to read. */
    public static final int MAX_PAYLOAD = 64 * 1024;

    private static final int MAX_ID = 100;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException naming the one that is wrong
     */
    public Broadcast {
        if (id.isEmpty() || id.length() > MAX_ID) {
            throw new IllegalArgumentException("the id of a broadcast has 1 to " + MAX_ID + " characters");
        }
        if (payload.bytes().length > MAX_PAYLOAD) {
            throw new IllegalArgumentException("a broadcast has at most " + MAX_PAYLOAD + " bytes");
        }
    }
}
