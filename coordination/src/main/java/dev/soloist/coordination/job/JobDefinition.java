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
 * @param work singleton, delayed or broadcast
 * @param eventLogLength about how many ended runs and dead letters are kept as events; 0 for none
 */
public record JobDefinition(
        JobId id,
        String uid,
        long generation,
        long term,
        boolean suspended,
        Trigger trigger,
        LeasePolicy policy,
        Work work,
        int eventLogLength) {

    /** A job that keeps no events. */
    public JobDefinition(
            JobId id,
            String uid,
            long generation,
            long term,
            boolean suspended,
            Trigger trigger,
            LeasePolicy policy,
            Work work) {
        this(id, uid, generation, term, suspended, trigger, policy, work, 0);
    }

    /** The same definition with another term. */
    public JobDefinition withTerm(long newTerm) {
        return new JobDefinition(id, uid, generation, newTerm, suspended, trigger, policy, work, eventLogLength);
    }

    /** The same definition with another length of its event log. */
    public JobDefinition withEventLog(int length) {
        return new JobDefinition(id, uid, generation, term, suspended, trigger, policy, work, length);
    }
}
