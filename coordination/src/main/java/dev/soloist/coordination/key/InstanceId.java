package dev.soloist.coordination.key;

import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * One start of a sidecar in a pod: the pod's UID, a dash and six random letters. It is new at every registration, also
 * after being fenced, so that nobody ever writes under a name that another is cleaning up. Immutable.
 */
public record InstanceId(String value) {

    private static final int SUFFIX_LENGTH = 6;
    private static final Pattern FORM = Pattern.compile("[a-zA-Z0-9.-]{1,128}-[a-z]{" + SUFFIX_LENGTH + "}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the value is not a UID, a dash and six letters
     */
    public InstanceId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is not an instance: <pod UID>-<six letters>");
        }
    }

    /** A new instance of the given pod. */
    public static InstanceId create(String podUid) {
        var suffix = new StringBuilder(SUFFIX_LENGTH);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            suffix.append((char) ('a' + RANDOM.nextInt(26)));
        }
        return new InstanceId(podUid + "-" + suffix);
    }

    /** The UID of the pod this instance runs in. */
    public String podUid() {
        return value.substring(0, value.length() - SUFFIX_LENGTH - 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
