package dev.soloist.coordination.delayed;

import java.time.Duration;

/**
 * A walk through all records in small steps, to mend indexes that were damaged by hand. Immutable: each step gives the
 * next one.
 *
 * @param phase which records are being walked through
 * @param cursor the server's own, 0 at the start of a phase
 * @param visibility given to a held task that has no deadline
 * @param overdue how late a task must be before its lost hint is written anew
 */
public record Repair(Phase phase, String cursor, Duration visibility, Duration overdue) {

    /** The parts of the walk, in order. */
    public enum Phase {
        /** Held and dead tasks. */
        HELD,
        /** Waiting tasks. */
        PENDING,
        /** The walk is over. */
        FINISHED
    }

    /** A walk from the beginning. */
    public static Repair begin(Duration visibility, Duration overdue) {
        return new Repair(Phase.HELD, "0", visibility, overdue);
    }

    /** Whether there is nothing left to walk through. */
    public boolean isFinished() {
        return phase == Phase.FINISHED;
    }

    Repair next(String nextCursor) {
        if (!nextCursor.equals("0")) {
            return new Repair(phase, nextCursor, visibility, overdue);
        }
        Phase after = phase == Phase.HELD ? Phase.PENDING : Phase.FINISHED;
        return new Repair(after, "0", visibility, overdue);
    }
}
