package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.perSecond;

/** How much waits. Every sidecar reports the whole queue, so the greatest value counts, never the sum over pods. */
final class QueuesRow {

    private QueuesRow() {}

    static Row row() {
        return new Row(
                "Queue depths",
                depth("Pending tasks", "pending", "Tasks that are not yet due, or due and not yet moved."),
                depth(
                        "Ready tasks",
                        "ready",
                        "Tasks that are due and wait for a pod. Steady growth: too few consumers."),
                depth("Tasks in flight", "inFlight", "Tasks reserved by some pod and not yet answered."),
                depth(
                        "Dead tasks",
                        "dead",
                        "Dead letters. They stay until somebody looks at them or their age is over."),
                Panel.lines(
                        "Oldest overdue task",
                        "s",
                        "Age, past its due instant, of the task that has waited longest for its delivery.",
                        new Query("max by (djob) (soloist_queue_oldest_overdue_seconds{" + JOB + "})", "{{djob}}")),
                Panel.lines(
                        "Moved tasks",
                        "ops",
                        "Tasks moved from delayed to ready, per second.",
                        perSecond("soloist_tasks_moved_total", "djob")),
                Panel.lines(
                                "Running deliveries by pod",
                                "none",
                                "Deliveries that run now in each pod. Flat at the job's concurrency: the pods are busy.",
                                new Query(
                                        "sum by (djob, pod) (soloist_tasks_in_flight{" + JOB + "})",
                                        "{{djob}} {{pod}}"))
                        .wide(8),
                stream(
                        "Entries of streams",
                        "entries",
                        "Tasks being delivered, and those handled that can be replayed."),
                stream("Consumers of streams", "consumers", "Never many more than pods."),
                stream("Lost streams", "losses", "Times that a stream or its group was gone and was made anew."),
                Panel.lines(
                                "Replayed tasks",
                                "ops",
                                "Tasks made ready again because somebody asked for it, per second.",
                                perSecond("soloist_tasks_replayed_total", "djob"))
                        .wide(6));
    }

    private static Panel stream(String title, String what, String description) {
        return Panel.lines(
                        title,
                        "none",
                        description + " Of jobs with transport Stream, as last read by the sidecars.",
                        new Query("max by (djob) (soloist_stream_" + what + "{" + JOB + "})", "{{djob}}"))
                .wide(6);
    }

    private static Panel depth(String title, String state, String description) {
        return Panel.lines(
                        title,
                        "none",
                        description + " As last read by the sidecars.",
                        new Query(
                                "max by (djob) (soloist_queue_depth{" + JOB + ", state=\"" + state + "\"})",
                                "{{djob}}"))
                .wide(6);
    }
}
