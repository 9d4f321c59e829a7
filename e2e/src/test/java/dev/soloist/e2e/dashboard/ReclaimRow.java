package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.perMinute;

/** What becomes of the work of pods that died. */
final class ReclaimRow {

    private ReclaimRow() {}

    static Row row() {
        return new Row(
                "Reclaim",
                Panel.lines(
                        "Abandoned runs found",
                        "opm",
                        "Runs whose holder's lease had run out before they ended, found by the watchdogs, per minute. High"
                                + " while the operator is down: then only the ttl tells that a holder is dead.",
                        new Query(
                                "60 * sum by (djob) ("
                                        + Query.rate("soloist_watch_verdicts_total", JOB + ", verdict=\"abandoned\"")
                                        + ")",
                                "{{djob}}")),
                Panel.lines(
                        "Adopted segments",
                        "opm",
                        "Delayed sets of dead instances taken over by living ones, per minute.",
                        perMinute("soloist_adopted_segments_total", "djob")),
                Panel.lines(
                        "Fenced instances",
                        "opm",
                        "Times per minute that a living sidecar found itself declared dead and registered anew: it was paused"
                                + " or cut off for longer than its instance lease.",
                        perMinute("soloist_fenced_total", "djob")));
    }
}
