package dev.soloist.sidecar.jobs;

import dev.soloist.coordination.job.JobDefinition;
import java.time.Duration;

/** What works for one job in this pod. Thread-safe. */
public interface JobWorker {

    /** The definition it acts on now. */
    JobDefinition job();

    /** Takes over a newer definition of the same job. */
    void update(JobDefinition job, Eligibility eligibility);

    /** Begins. */
    void start();

    /** Begins nothing new from now on; what runs goes on. Returns at once. */
    void stopTaking(Ending why);

    /**
     * Waits for what runs, then cancels it and gives back what can be given back; requests of the app are still served. Never takes
     * much longer than the budget, whether Redis answers or not.
     */
    void stop(Duration budget);

    /** Resigns and ends for good, after {@link #stop}. Waits for Redis no longer than one call takes. */
    void leave();

    /** What is still held, for the last log line; empty when nothing is. */
    String leftovers();

    /** Why a worker is to end. */
    enum Ending {
        /** The pod ends: a native sidecar is told so after the app's containers have ended. */
        POD,
        /** The sidecar ends, and the app may be at work for a while yet. */
        SIDECAR,
        /** The job is no business of this pod any more; the app lives on. */
        JOB
    }

    /** Whether the pod may begin work now. */
    enum Eligibility {
        ELIGIBLE,
        NOT_ELIGIBLE;

        static Eligibility of(boolean eligible) {
            return eligible ? ELIGIBLE : NOT_ELIGIBLE;
        }
    }
}
