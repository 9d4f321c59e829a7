package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Payload;
import java.util.Arrays;

/**
 * All there is to know of one task: the only thing that decides. Immutable.
 *
 * @param version grows with every change, so that no value comes back and a late compare-and-set of an older state fails
 * @param state where it is in its life
 * @param attempts deliveries so far
 * @param receipt of the last reservation, empty once it is void
 * @param at the holder while held, else the segment that should hint at it; empty if that is the ready list
 * @param due the due that counts, ms
 * @param until when the holder's visibility is over, or when it died, ms; 0 otherwise
 * @param cancelled whether it was withdrawn while held
 * @param enqueued when it was accepted, ms
 * @param requests digests of the requests it stands for, joined by commas
 * @param error why the last attempt failed
 * @param payload empty once it has ended
 */
record TaskRecord(
        long version,
        State state,
        int attempts,
        String receipt,
        String at,
        long due,
        long until,
        boolean cancelled,
        long enqueued,
        String requests,
        String error,
        Payload payload) {

    /** The states, each by its letter. */
    enum State {
        P,
        I,
        D,
        E,
        C;

        /** Whether the task is over and only its id is remembered. */
        boolean isEnded() {
            return this == E || this == C;
        }
    }

    private static final Payload NOTHING = Payload.of(new byte[0], "");

    /** A new life of an id, due and unheld. */
    static TaskRecord fresh(long version, String segment, long due, long now, String request, Payload payload) {
        return new TaskRecord(version, State.P, 0, "", segment, due, 0, false, now, request, "", payload);
    }

    boolean isHeldBy(String proof) {
        return state == State.I && receipt.equals(proof);
    }

    boolean knows(String request) {
        return Arrays.asList(requests.split(",")).contains(request);
    }

    /** The same life, waiting for another due. */
    TaskRecord waiting(int count, String proof, String segment, long newDue, String why) {
        return new TaskRecord(
                version + 1, State.P, count, proof, segment, newDue, 0, false, enqueued, requests, why, payload);
    }

    /** The same life with one more request merged into it: the first and the latest are remembered. */
    TaskRecord merged(String segment, long newDue, String request) {
        String both = requests.split(",", 2)[0] + "," + request;
        return new TaskRecord(
                version + 1, state, attempts, receipt, segment, newDue, 0, cancelled, enqueued, both, error, payload);
    }

    TaskRecord held(String holder, String proof, long deadline) {
        return new TaskRecord(
                version + 1,
                State.I,
                attempts + 1,
                proof,
                holder,
                due,
                deadline,
                cancelled,
                enqueued,
                requests,
                error,
                payload);
    }

    TaskRecord extended(long deadline) {
        return new TaskRecord(
                version + 1,
                state,
                attempts,
                receipt,
                at,
                due,
                deadline,
                cancelled,
                enqueued,
                requests,
                error,
                payload);
    }

    TaskRecord flagged() {
        return new TaskRecord(
                version + 1, state, attempts, receipt, at, due, until, true, enqueued, requests, error, payload);
    }

    TaskRecord dead(String proof, long now, String why) {
        return new TaskRecord(
                version + 1, State.D, attempts, proof, "", due, now, false, enqueued, requests, why, payload);
    }

    /** What is remembered of it for the retention. */
    TaskRecord ended(State how) {
        return new TaskRecord(version + 1, how, attempts, receipt, "", due, 0, false, 0, requests, "", NOTHING);
    }
}
