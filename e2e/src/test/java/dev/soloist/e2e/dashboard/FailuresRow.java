package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.SIDECAR;
import static dev.soloist.e2e.dashboard.Query.rate;

/** What goes wrong, in the app's work and in ours. */
final class FailuresRow {

    private FailuresRow() {}

    static Row row() {
        return new Row(
                "Failures",
                Panel.lines(
                                "Failed runs",
                                "percentunit",
                                "Part of the runs that ended failed or aborted, by job.",
                                new Query(
                                        "sum by (djob) ("
                                                + rate("soloist_runs_total", JOB + ", result=~\"failed|aborted\"")
                                                + ") / sum by (djob) (" + rate("soloist_runs_total", JOB) + ")",
                                        "{{djob}}"))
                        .alarmAt(0.5),
                Panel.lines(
                        "Deliveries that were not acknowledged",
                        "ops",
                        "Deliveries that did not end with an acknowledgement, per second. Stale: the answer came after the"
                                + " visibility timeout, so the task is delivered again.",
                        new Query(
                                "sum by (djob, result) ("
                                        + rate("soloist_tasks_delivered_total", JOB + ", result!=\"acked\"") + ")",
                                "{{djob}} {{result}}")),
                Panel.lines(
                        "Watchdog verdicts",
                        "opm",
                        "What the watchdogs found out of order and put right, per minute.",
                        new Query(
                                "60 * sum by (djob, verdict) ("
                                        + rate("soloist_watch_verdicts_total", JOB + ", verdict!~\"ok|wait\"") + ")",
                                "{{djob}} {{verdict}}")),
                Panel.lines(
                        "Errors of background loops",
                        "opm",
                        "Steps of background loops that failed and will be repeated, per minute, by loop. All loops at once"
                                + " mean the store.",
                        new Query(
                                "60 * sum by (loop) (" + rate("soloist_loop_errors_total", SIDECAR) + ")", "{{loop}}")),
                Panel.lines(
                                "Answers of the localhost API",
                                "ops",
                                "Answers to the apps per second, by operation and status. 4xx is the app's mistake, 503 a store"
                                        + " that cannot be reached.",
                                new Query(
                                        "sum by (operation, status) (" + rate("soloist_api_requests_total", SIDECAR)
                                                + ")",
                                        "{{operation}} {{status}}"))
                        .wide(16));
    }
}
