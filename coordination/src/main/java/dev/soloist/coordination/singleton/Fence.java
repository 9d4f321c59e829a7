package dev.soloist.coordination.singleton;

import java.util.Comparator;
import java.util.Locale;

/**
 * The rising number of a lease: first the term, kept in the cluster and raised when Redis may have lost data, then the
 * sequence given by Redis. A resource that refuses smaller fences than the largest it has seen is safe from a former holder.
 *
 * @param term raised by the operator, at most ten digits
 * @param sequence microseconds of the Redis clock or one more than the sequence before, at most sixteen digits
 */
public record Fence(long term, long sequence) implements Comparable<Fence> {
    private static final Comparator<Fence> ORDER =
            Comparator.comparingLong(Fence::term).thenComparingLong(Fence::sequence);

    public Fence {
        if (term < 0 || term > 9_999_999_999L) {
            throw new IllegalArgumentException("a term has one to ten digits: " + term);
        }
        if (sequence < 0 || sequence > 9_999_999_999_999_999L) {
            throw new IllegalArgumentException("a sequence has one to sixteen digits: " + sequence);
        }
    }

    /** Reads what {@link #toString()} wrote. */
    public static Fence parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("a fence is term-sequence, not: " + text);
        }
        return new Fence(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(Fence other) {
        return ORDER.compare(this, other);
    }

    /** Fixed width, so that the order as text is the order as numbers. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%010d-%016d", term, sequence);
    }
}
