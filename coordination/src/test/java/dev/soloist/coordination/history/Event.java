package dev.soloist.coordination.history;

import java.util.List;

/** One thing that happened. {@code at} is the Redis clock in microseconds, {@code job} the job as {@code namespace/name}. */
public sealed interface Event {

    /** Redis clock, microseconds. */
    long at();

    // Singleton jobs, as Redis carried the scripts out.

    /** A claim won; {@code until} is the end of the lease, {@code notAfter} the last moment of the request, both in ms. */
    record Granted(long at, String job, String holder, String nonce, String fence, long until, long notAfter)
            implements Event {

        /** The rising part of the fence: not below the moment of the claim in microseconds. */
        long sequence() {
            return Long.parseLong(fence.substring(fence.indexOf('-') + 1));
        }
    }

    /** A lease was set anew, by a renewal or by a repeated claim that took {@code now} for the moment; both in ms. */
    record Extended(long at, String job, String nonce, long until, long now) implements Event {}

    /**
     * A run left the record.
     *
     * @param by the script: finish, release, watch or reclaim
     * @param nonce of the caller, empty for watch and reclaim
     * @param fence that the caller named, empty for release and watch
     * @param grace that a watch was asked to keep, in ms
     * @param due from when the next run may begin, in ms
     */
    record RunOver(long at, String job, String by, String nonce, String fence, String state, long grace, long due)
            implements Event {}

    /** Any other script gave the record another state; {@code due} in ms, -1 where it stays as it was. */
    record Planned(long at, String job, String by, String state, long due) implements Event {}

    /** A nonce was given up by a caller that owned nothing. */
    record NonceSpent(long at, String job, String nonce) implements Event {}

    /** Somebody who is no part of the protocol has set the lock, which ends between two moments, in ms. */
    record LockedByHand(long at, String job, long until, long latest) implements Event {}

    /** Record, token list and lock at one moment; {@code lockMillis} as PTTL answers. */
    record Looked(long at, String job, String state, String generation, List<String> tokens, long lockMillis)
            implements Event {}

    /** A holder took its lease for valid from one reading of the monotonic clock to another. */
    record Believed(long at, String job, String holder, String fence, long fromNanos, long untilNanos)
            implements Event {}

    // Leases of apps, as Redis carried the scripts out; {@code job} is namespace/member.

    /** An app got a lease, or another end for the one it has, by a script that took {@code now} for the moment; both in ms. */
    record LeaseHeld(long at, String job, String pod, String fence, long until, long now, boolean first)
            implements Event {}

    /** A lease will not be renewed. */
    record LeaseRevoked(long at, String job, String fence) implements Event {}

    /** A lease was given back. */
    record LeaseGivenBack(long at, String job, String pod, String fence) implements Event {}

    // Delayed jobs, as Redis carried the scripts out. Moments without a unit in the name are ms.

    /** A task was written whole. */
    record Stored(long at, String job, String id, String instance, long due, String request, String policy)
            implements Event {}

    /** A task was accepted with a deduplication key; {@code until} is the end of the window in ms. */
    record Keyed(long at, String job, String id, String key, long until, boolean terminal) implements Event {}

    /** Tasks were handed out under a rate limit; {@code moment} in ms. */
    record Begun(long at, String job, long moment, int count, int max, long per) implements Event {}

    /** A task that began at {@code moment} by its rate limit never reached its app, as its holder says; in ms. */
    record NotBegun(long at, String job, long moment) implements Event {}

    /** A waiting task got a due, perhaps the one it had. */
    record Replanned(long at, String job, String id, String by, long due) implements Event {}

    /** A task was handed out. */
    record Delivered(long at, String job, String id, String instance, String receipt, int attempt, long deadline)
            implements Event {}

    /** A holder may keep its task longer; the receipt is empty where a whole batch was asked for again. */
    record Held(long at, String job, String id, String receipt, long deadline) implements Event {}

    /** A task was handled. */
    record Acked(long at, String job, String id, String receipt) implements Event {}

    /** A task waits again; {@code by} is nack, sweep or requeue. */
    record Returned(long at, String job, String id, String by, String receipt, long due, int attempts)
            implements Event {}

    /** A task is not tried again. */
    record Died(long at, String job, String id, String by, String receipt) implements Event {}

    /** A task was withdrawn. */
    record Cancelled(long at, String job, String id, String by, String receipt) implements Event {}

    /** The holder of a task is to be told that it was withdrawn. */
    record CancelAsked(long at, String job, String id) implements Event {}

    /** A dead task was thrown away. */
    record Purged(long at, String job, String id) implements Event {}

    /** A task left the index of tasks in flight and went nowhere. */
    record Vanished(long at, String job, String id, String by) implements Event {}

    // Delayed jobs, as callers were told.

    /** A producer was told that its task is recorded; it had asked at {@code asked}, in microseconds. */
    record Promised(long at, String job, String id, long asked) implements Event {}

    /** A caller has the answer to its reservation: these are its tasks. */
    record Received(long at, String job, String nonce, List<String> ids) implements Event {}

    /** A task that is to come at most once was removed, and its app is given it now. */
    record GivenOnce(long at, String job, String id, String receipt) implements Event {}

    /** A producer got no answer, or was refused. */
    record Unanswered(long at, String job, String id, String why) implements Event {}

    /**
     * A producer was told that another task stands for its own, by its key; it had asked at {@code asked}, in microseconds.
     * {@code settled} to which ms nothing can free the key, 0 if something can.
     */
    record KeyTaken(long at, String job, String key, String by, long settled, long asked) implements Event {}

    /** A caller was told that the task is cancelled; it had asked at {@code asked}, in microseconds. */
    record Withdrawn(long at, String job, String id, long asked) implements Event {}

    /** What stands about a task at the end. */
    record Found(long at, String job, String id, String state) implements Event {}

    // Instances of delayed jobs.

    /** An instance's lease got another end, in ms; {@code joined} at its first. */
    record InstanceLease(long at, String job, String instance, long until, boolean joined) implements Event {}

    /** An instance lost its rights; {@code evidence} is LEASE_OVER, TERMINATED or LEFT. */
    record Fenced(long at, String job, String instance, String evidence, long grace) implements Event {}

    /** One instance took over what another looked after; the list is all that it looks after now. */
    record Adopted(long at, String job, String dead, String living, List<String> segments) implements Event {}

    /** An instance looks after these segments now. */
    record Segments(long at, String job, String instance, List<String> segments) implements Event {}

    // The apps. A run or a task is named as its app was told; {@code fence} is empty for a task.

    /** An app began. */
    record AppStarted(long at, String job, String pod, String work, String fence, int attempt) implements Event {}

    /** An app ended; {@code how} is done, failed, cancelled, died or deaf (it went on although it was cancelled). */
    record AppEnded(long at, String job, String pod, String work, int attempt, String how) implements Event {}

    // The run itself.

    /** Something was broken on purpose, from {@code at} until the given moment in microseconds; pod may be empty. */
    record Fault(long at, String kind, String pod, long until) implements Event {}

    /** What has ended in a job's queue is remembered for so long; where nothing is said of it, for longer than the history. */
    record Remembered(long at, String job, long millis) implements Event {}

    /** Redis may have lost writes that it had answered. */
    record DataLost(long at) implements Event {}

    /** A job, with all that was ever in it, was deleted on purpose. */
    record Erased(long at, String job) implements Event {}

    /** From here on nothing is broken any more. */
    record Calm(long at) implements Event {}

    /**
     * The end.
     *
     * @param jobs that must have run since the calm
     * @param withinMillis of the calm, or of their due, by which all that is due must have been begun
     */
    record End(long at, List<String> jobs, long withinMillis) implements Event {}
}
