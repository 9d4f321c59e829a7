package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.JOB;
import static dev.soloist.e2e.dashboard.Query.SIDECAR;
import static dev.soloist.e2e.dashboard.Query.perMinute;

/** Who holds which lease, and how it changes hands. */
final class HoldersRow {

    private HoldersRow() {}

    static Row row() {
        return new Row(
                "Holders",
                Panel.number(
                                "Most holders of one job",
                                "none",
                                "Sidecars that believe they hold the lease of the same job at the time of one scrape. 0 or"
                                        + " 1 is right; a paused or cut-off holder may show as a second one until it notices, and"
                                        + " its fence is then refused.",
                                new Query("max(sum by (namespace, djob) (soloist_lease_held{" + JOB + "}))", "holders"))
                        .alarmAt(2)
                        .wide(6),
                Panel.number(
                                "Leases held",
                                "none",
                                "Leases held now, over all chosen jobs.",
                                new Query("sum(soloist_lease_held{" + JOB + "})", "leases"))
                        .wide(6),
                Panel.number(
                                "Heartbeat threads",
                                "none",
                                "Threads that renew a lease now. More than leases held, while no run is in progress, is a"
                                        + " leak.",
                                new Query("sum(soloist_renew_timers{" + SIDECAR + "})", "threads"))
                        .wide(6),
                Panel.number(
                                "Leases lost",
                                "none",
                                "Leases lost in mid-run within the chosen time, all causes.",
                                new Query("sum(increase(soloist_lease_lost_total{" + JOB + "}[$__range]))", "lost"))
                        .alarmAt(1)
                        .wide(6),
                Panel.states(
                        "Holder of each lease",
                        "none",
                        "1 while the pod holds the job's lease, as scraped: runs shorter than the scrape interval may not"
                                + " show.",
                        new Query(
                                "max by (namespace, djob, pod) (soloist_lease_held{" + JOB + "})",
                                "{{namespace}}/{{djob}} {{pod}}")),
                Panel.lines(
                        "Claims",
                        "opm",
                        "Attempts to take a lease, per minute. Refused ones are normal: one pod wins, the others are told"
                                + " how long to wait.",
                        perMinute("soloist_claims_total", "djob, result")),
                Panel.lines(
                        "Renewals",
                        "opm",
                        "Heartbeats of held leases, per minute. An error is repeated; lost ends the run.",
                        perMinute("soloist_renewals_total", "djob, result")),
                Panel.lines(
                        "Lost leases by cause",
                        "opm",
                        "Leases lost in mid-run, per minute, by cause: the record has another owner, the lease key is gone"
                                + " or another's, or the holder's own deadline passed without a renewal.",
                        perMinute("soloist_lease_lost_total", "djob, cause")));
    }
}
