package dev.soloist.coordination.schedule;

/** A schedule that cannot be followed. The message is a sentence for the user: what is wrong and what to write. */
public final class InvalidSchedule extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidSchedule(String message) {
        super(message);
    }
}
