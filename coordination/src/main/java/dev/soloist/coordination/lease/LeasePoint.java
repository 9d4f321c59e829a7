package dev.soloist.coordination.lease;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A point in the list of a namespace's leases, from which it can be read on. Immutable.
 *
 * @param endMillis when the lease before it ends, by the Redis clock; 0 for the beginning
 * @param member that lease, in Base64 that may stand in a URL
 */
public record LeasePoint(long endMillis, String member) {

    /** Before every lease. */
    public static final LeasePoint START = new LeasePoint(0, "");

    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,14})\\.([A-Za-z0-9_-]{1,400})");

    static LeasePoint of(long endMillis, byte[] member) {
        return new LeasePoint(endMillis, Base64.getUrlEncoder().withoutPadding().encodeToString(member));
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is no point
     */
    public static LeasePoint parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no point in a list of leases: " + text);
        }
        var point = new LeasePoint(Long.parseLong(parts.group(1)), parts.group(2));
        point.bytes();
        return point;
    }

    /** As a script takes it. */
    byte[] end() {
        return (endMillis == 0 ? "" : Long.toString(endMillis)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Of the lease before it. */
    byte[] bytes() {
        return Base64.getUrlDecoder().decode(member);
    }

    @Override
    public String toString() {
        return endMillis + "." + member;
    }
}
