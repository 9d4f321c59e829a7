package dev.soloist.coordination.registration;

import dev.soloist.coordination.job.JobDefinition;
import java.util.List;

/**
 * What a sidecar reads about its own pod. Immutable.
 *
 * @param known whether the operator has written about the pod at all
 * @param eligible as in {@link Assignment}; false for an unknown pod
 * @param jobs the definitions of the jobs it takes part in
 */
public record Registration(boolean known, boolean eligible, List<JobDefinition> jobs) {

    /** Copies the list. */
    public Registration {
        jobs = List.copyOf(jobs);
    }
}
