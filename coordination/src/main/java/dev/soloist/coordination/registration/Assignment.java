package dev.soloist.coordination.registration;

import java.util.Set;

/**
 * What the operator decided about one pod. Immutable.
 *
 * @param podName for people; the key is the UID
 * @param eligible whether the pod may begin runs and take tasks now (it is ready, not ending, and selected)
 * @param jobs names of the jobs it takes part in, eligible or not
 */
public record Assignment(String podName, boolean eligible, Set<String> jobs) {

    /** Copies the names. */
    public Assignment {
        jobs = Set.copyOf(jobs);
    }
}
