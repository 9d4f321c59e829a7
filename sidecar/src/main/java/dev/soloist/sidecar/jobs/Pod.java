package dev.soloist.sidecar.jobs;

import dev.soloist.coordination.key.InstanceId;

/**
 * The pod this process runs in. Immutable.
 *
 * @param segmentBase what instance names begin with, normally the pod's UID
 * @param instance name of this start of the sidecar
 */
public record Pod(String namespace, String name, String uid, String segmentBase, InstanceId instance) {

    /** Names a new start of the sidecar in the pod. */
    public static Pod started(String namespace, String name, String uid, String segmentBase) {
        return new Pod(namespace, name, uid, segmentBase, InstanceId.create(segmentBase));
    }

    /** Whether an instance was an earlier start of the sidecar in this very pod, so certainly dead. */
    public boolean isPredecessor(InstanceId other) {
        return other.podUid().equals(segmentBase) && !other.equals(instance);
    }
}
