package dev.soloist.coordination.delayed;

/**
 * What a purge forgot; bounded per call, so call again while it {@link #mayFindMore()}. Immutable.
 *
 * @param finished ids whose retention was over
 * @param dead dead tasks that were too old or too many
 * @param keys deduplication keys whose window was over
 */
public record Purged(int finished, int dead, int keys) {

    private static final int MOST_KEYS = 100;
    private static final int MOST_FINISHED = 100;
    private static final int MOST_DEAD = 20;

    /** What a queue without deduplication forgot. */
    public Purged(int finished, int dead) {
        this(finished, dead, 0);
    }

    /** Whether a bound was reached. */
    public boolean mayFindMore() {
        return finished >= MOST_FINISHED || dead >= MOST_DEAD || keys >= MOST_KEYS;
    }
}
