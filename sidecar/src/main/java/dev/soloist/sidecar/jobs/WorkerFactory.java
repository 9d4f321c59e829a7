package dev.soloist.sidecar.jobs;

import dev.soloist.coordination.job.JobDefinition;

/** Makes the worker that a definition asks for, not started yet. */
@FunctionalInterface
public interface WorkerFactory {
    JobWorker create(JobDefinition job, JobWorker.Eligibility eligibility);
}
