package dev.soloist.coordination.cas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes of one call whose answer was lost: each was done, is done later, or never. Not thread-safe. */
final class Doubts {

    private final List<Doubt> open = new ArrayList<>();

    /**
     * Takes one up.
     *
     * @param expected what it compares with; null if it wants the string to be absent
     * @param written what it leaves; null if it removes the string
     */
    void add(byte @Nullable [] expected, byte @Nullable [] written, Outcome outcome) {
        open.add(new Doubt(expected, written, outcome));
    }

    /**
     * Whether one of them may still be under way and succeed. Each compares with the whole string, and no two writes leave
     * the same bytes: once the string is another, it never will.
     */
    boolean isOpen() {
        return !open.isEmpty();
    }

    /** Looks at what is there now: drops what cannot succeed any more, and returns the outcome of the one that is there. */
    Optional<Outcome> settle(byte @Nullable [] now) {
        for (Doubt doubt : open) {
            if (now != null && Arrays.equals(now, doubt.written)) {
                return Optional.of(doubt.outcome);
            }
        }
        open.removeIf(doubt -> !Arrays.equals(now, doubt.expected));
        return Optional.empty();
    }

    private static final class Doubt {

        private final byte @Nullable [] expected;
        private final byte @Nullable [] written;
        private final Outcome outcome;

        Doubt(byte @Nullable [] expected, byte @Nullable [] written, Outcome outcome) {
            this.expected = expected;
            this.written = written;
            this.outcome = outcome;
        }
    }
}
