package dev.soloist.coordination.delayed;

import java.time.Duration;

/**
 * A task to be given back by its holder. Immutable.
 *
 * @param held the task and the proof of holding it
 * @param mode whether and how it is to be tried again
 * @param delay until then, zero for at once
 * @param error why, for people; cut to 1000 characters
 */
public record GiveBack(Held held, Mode mode, Duration delay, String error) {

    private static final int MAX_ERROR = 1000;

    /** What a give-back means for the task. */
    public enum Mode {
        /** It failed: to be tried again unless this was the last attempt. */
        RETRY,
        /** It was not handled, and that is nobody's fault, as when the app has no room: this attempt does not count. */
        FREE,
        /** Nothing of it reached the app: neither this attempt counts, nor its start for a rate limit. */
        UNSEEN,
        /** It must not be tried again: to the dead letters. */
        DEAD
    }

    /** Cuts the error and checks the delay. */
    public GiveBack {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay is not negative");
        }
        if (error.length() > MAX_ERROR) {
            error = error.substring(0, MAX_ERROR);
        }
    }

    /** A failed attempt. */
    public static GiveBack retry(Held held, Duration delay, String error) {
        return new GiveBack(held, Mode.RETRY, delay, error);
    }

    /** An attempt that does not count. */
    public static GiveBack free(Held held, Duration delay, String error) {
        return new GiveBack(held, Mode.FREE, delay, error);
    }

    /** What never reached the app. */
    public static GiveBack unseen(Held held, Duration delay, String error) {
        return new GiveBack(held, Mode.UNSEEN, delay, error);
    }

    /** No further attempt. */
    public static GiveBack dead(Held held, String error) {
        return new GiveBack(held, Mode.DEAD, Duration.ZERO, error);
    }

    /** Whether the attempt is one of those that the job allows. */
    public boolean counts() {
        return switch (mode) {
            case RETRY, DEAD -> true;
            case FREE, UNSEEN -> false;
        };
    }
}
