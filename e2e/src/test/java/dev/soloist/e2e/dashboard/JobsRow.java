package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.SIDECAR;
import static dev.soloist.e2e.dashboard.Query.perMinute;
import static dev.soloist.e2e.dashboard.Query.perSecond;

/** What there is and what it does. */
final class JobsRow {

    private JobsRow() {}

    static Row row() {
        return new Row(
                "Jobs",
                Panel.number(
                        "Singleton jobs",
                        "none",
                        "Singleton jobs that at least one sidecar takes part in.",
                        new Query("count(count by (namespace, djob) (soloist_lease_held{" + JOB + "}))", "jobs")),
                Panel.number(
                        "Delayed jobs",
                        "none",
                        "Delayed jobs that at least one sidecar takes part in.",
                        new Query("count(count by (namespace, djob) (soloist_tasks_in_flight{" + JOB + "}))", "jobs")),
                Panel.number(
                        "Sidecars",
                        "none",
                        "Sidecars that Prometheus sees in the chosen namespaces.",
                        new Query("count(soloist_store_up{" + SIDECAR + "})", "sidecars")),
                Panel.number(
                                "Jobs without runs",
                                "none",
                                "Singleton jobs of which no run has ended within the chosen time. Right for a job that runs"
                                        + " at night; for the others look at claims and at the job's verdict.",
                                new Query(
                                        "count(sum by (namespace, djob) (increase(soloist_runs_total{" + JOB
                                                + "}[$__range])) == 0) or vector(0)",
                                        "jobs"))
                        .wide(4),
                Panel.number(
                                "Jobs per sidecar",
                                "none",
                                "Least jobs that one sidecar takes part in, by kind. Zero right after a start, or when the"
                                        + " operator has not registered the pod.",
                                new Query("min by (kind) (soloist_jobs{" + SIDECAR + "})", "{{kind}}"))
                        .wide(8),
                Panel.lines(
                        "Runs",
                        "opm",
                        "Singleton runs that ended, per minute, by job and result. A run that was given back (429, 503)"
                                + " or aborted is repeated by the rules of its retry.",
                        perMinute("soloist_runs_total", "djob, result")),
                Panel.lines(
                        "Deliveries",
                        "ops",
                        "Deliveries of delayed tasks that ended, per second, by job and result.",
                        perSecond("soloist_tasks_delivered_total", "djob, result")),
                Panel.lines(
                        "Enqueued tasks",
                        "ops",
                        "What the apps asked to be enqueued, per second, by job and outcome.",
                        perSecond("soloist_tasks_enqueued_total", "djob, outcome")));
    }
}
