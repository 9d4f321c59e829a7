package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.quantile;

/** How late work begins, and how long it takes. All times are measured against Redis' clock. */
final class LatenessRow {

    private LatenessRow() {}

    static Row row() {
        return new Row(
                "Lateness",
                both(
                        "Lateness of runs",
                        "soloist_run_lateness_seconds",
                        "Trigger sent minus scheduled instant, median and 99th percentile. A run after a failure counts from"
                                + " its slot, so retries raise it."),
                both(
                        "Lateness of tasks",
                        "soloist_task_lateness_seconds",
                        "Delivery minus due instant, median and 99th percentile. Repeated deliveries count from when they were"
                                + " due again."),
                Panel.lines(
                        "Mean lateness",
                        "s",
                        "Mean over the interval, runs and tasks; unlike a percentile it is not rounded to a bucket.",
                        mean("soloist_run_lateness_seconds", "{{djob}} runs"),
                        mean("soloist_task_lateness_seconds", "{{djob}} tasks")),
                both(
                                "Duration of runs",
                                "soloist_run_duration_seconds",
                                "Trigger sent until answered or given up, median and 99th percentile. Compare with maxRunTime and"
                                        + " the trigger's timeout.")
                        .wide(12),
                both(
                                "Duration of tasks",
                                "soloist_task_duration_seconds",
                                "Delivery sent until answered or given up, median and 99th percentile. Compare with"
                                        + " visibilityTimeout.")
                        .wide(12));
    }

    private static Panel both(String title, String histogram, String description) {
        return Panel.lines(
                title,
                "s",
                description,
                quantile("0.5", histogram, JOB, "djob", "{{djob}} p50"),
                quantile("0.99", histogram, JOB, "djob", "{{djob}} p99"));
    }

    private static Query mean(String histogram, String legend) {
        return new Query(
                "sum by (djob) (" + Query.rate(histogram + "_sum", JOB) + ") / sum by (djob) ("
                        + Query.rate(histogram + "_count", JOB) + ")",
                legend);
    }
}
