package dev.soloist.coordination.lease;

/**
 * The pod whose app holds a lease. A restart of its sidecar or of its app's container changes nothing. Immutable.
 *
 * @param podUid what is compared
 * @param podName for people
 */
public record LeaseHolder(String podUid, String podName) {

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the UID is empty or one of them holds the separator of records
     */
    public LeaseHolder {
        if (podUid.isEmpty() || podUid.indexOf('|') >= 0 || podName.indexOf('|') >= 0) {
            throw new IllegalArgumentException("a holder is a pod's UID and name, without '|'");
        }
    }
}
