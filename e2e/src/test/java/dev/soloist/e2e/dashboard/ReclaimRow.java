package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.perMinute;
import static dev.soloist.e2e.dashboard.Query.rate;

/** What becomes of the work of pods that died. */
final class ReclaimRow {

    private ReclaimRow() {}

    static Row row() {
        return new Row(
                "Reclaim",
                Panel.lines(
                        "Reclaimed by pod truth",
                        "opm",
                        "Leases and delayed sets that the operator took from pods whose containers it saw terminate, per"
                                + " minute.",
                        new Query(
                                "60 * sum by (reason) (" + rate("soloist_operator_reclaims_total", "") + ")",
                                "{{reason}}")),
                Panel.lines(
                        "Abandoned runs",
                        "opm",
                        "Runs found after their lease had run out, by the watchdogs of sidecars and operator, per minute: nobody"
                                + " saw the holder's end, so only the ttl told of it.",
                        new Query(
                                "60 * sum by (djob) ("
                                        + rate("soloist_watch_verdicts_total", JOB + ", verdict=\"abandoned\"") + ")",
                                "{{djob}}"),
                        new Query(
                                "60 * sum(" + rate("soloist_operator_watch_verdicts_total", "verdict=\"abandoned\"")
                                        + ")",
                                "found by the operator")),
                Panel.lines(
                        "Adopted segments",
                        "opm",
                        "Delayed sets of dead instances that living sidecars took over, per minute.",
                        perMinute("soloist_adopted_segments_total", "djob")),
                Panel.lines(
                                "Fenced instances",
                                "opm",
                                "Times per minute that a living sidecar found itself declared dead and registered anew: it was"
                                        + " paused or cut off for longer than its instance lease.",
                                perMinute("soloist_fenced_total", "djob"))
                        .wide(24));
    }
}
