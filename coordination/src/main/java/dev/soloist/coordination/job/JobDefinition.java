package dev.soloist.coordination.job;

import dev.soloist.coordination.key.JobId;

/**
 * Everything a sidecar must know about a job, as the operator computed it from the manifest. Immutable.
 *
 * @param id namespace and name
 * @param uid of the Kubernetes object; a job made again under the same name has another
 * @param generation of the Kubernetes object's spec
 * @param term the high part of fences, kept in Kubernetes
 * @param suspended whether no run may start and no task may be delivered
 * @param trigger how the app is called
 * @param policy how a run is protected
 * @param work singleton or delayed
 */
public record JobDefinition(
        JobId id,
        String uid,
        long generation,
        long term,
        boolean suspended,
        Trigger trigger,
        LeasePolicy policy,
        Work work) {

    /** The same definition with another term. */
    public JobDefinition withTerm(long newTerm) {
        return new JobDefinition(id, uid, generation, newTerm, suspended, trigger, policy, work);
    }
}
