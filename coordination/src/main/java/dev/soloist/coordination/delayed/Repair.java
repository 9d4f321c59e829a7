package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * A walk through all records in small steps, to mend indexes that were damaged by hand. Immutable: each step gives the
 * next one.
 *
 * @param phase which records are being walked through
 * @param cursor the server's own, 0 at the start of a phase
 * @param visibility given to a held task that has no deadline
 * @param overdue how late a task must be before its lost hint is written anew
 * @param owned the segments that somebody looks after; a task waiting in any other goes to the shared one
 */
public record Repair(Phase phase, String cursor, Duration visibility, Duration overdue, Set<String> owned) {

    /** The parts of the walk, in order. */
    public enum Phase {
        /** Held and dead tasks. */
        HELD,
        /** Waiting tasks. */
        PENDING,
        /** Finished tasks that are remembered. */
        DONE,
        /** The walk is over. */
        FINISHED
    }

    /** Keeps its own copy of the set. */
    public Repair {
        owned = Set.copyOf(owned);
    }

    /** A walk from the beginning, in which nobody looks after any segment. */
    public static Repair begin(Duration visibility, Duration overdue) {
        return new Repair(Phase.HELD, "0", visibility, overdue, Set.of());
    }

    /** The same step, knowing who looks after what by now. One that is left out costs a hint too many, nothing else. */
    public Repair owning(Collection<String> segments) {
        return new Repair(phase, cursor, visibility, overdue, Set.copyOf(segments));
    }

    /** Whether there is nothing left to walk through. */
    public boolean isFinished() {
        return phase == Phase.FINISHED;
    }

    /**
     * The step after this one.
     *
     * @param nextCursor where the server says to go on, 0 at the end of the phase
     */
    public Repair after(String nextCursor) {
        if (!nextCursor.equals("0")) {
            return new Repair(phase, nextCursor, visibility, overdue, owned);
        }
        Phase after = switch (phase) {
            case HELD -> Phase.PENDING;
            case PENDING -> Phase.DONE;
            case DONE, FINISHED -> Phase.FINISHED;
        };
        return new Repair(after, "0", visibility, overdue, owned);
    }
}
