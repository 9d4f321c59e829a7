package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.quantile;
import static dev.soloist.e2e.dashboard.Query.rate;

/** The operator itself. Its replicas are few and its metrics name no job, so nothing here is chosen by namespace or job. */
final class OperatorRow {

    private OperatorRow() {}

    static Row row() {
        return new Row(
                "Operator",
                Panel.number(
                                "Leaders",
                                "none",
                                "Replicas of the operator that lead. 1 is right; 0 for some seconds while one takes over.",
                                new Query("sum(soloist_operator_leader)", "leaders"))
                        .alarmAt(2),
                Panel.number(
                                "Operators without the store",
                                "none",
                                "Replicas of the operator that are not connected to Redis.",
                                new Query("count(soloist_operator_store_up == 0) or vector(0)", "replicas"))
                        .alarmAt(1),
                Panel.number(
                                "Operators that refuse the store",
                                "none",
                                "Replicas whose store can do too little, or is not theirs; the condition StoreReady of a job says why.",
                                new Query("sum(soloist_operator_store_mode{mode=\"Refused\"})", "replicas"))
                        .alarmAt(1),
                Panel.number(
                                "Operators whose store may evict leases",
                                "none",
                                "Replicas whose store has a maxmemory-policy other than noeviction: strict singletons do not start.",
                                new Query(
                                        "count(soloist_operator_store_capability{name=\"evictsNothing\"} == 0) or vector(0)",
                                        "replicas"))
                        .alarmAt(1),
                Panel.number(
                                "Jobs that are not ready",
                                "none",
                                "DistributedJobs whose condition Ready is not true; kubectl get djob -A shows which.",
                                new Query("sum(soloist_operator_jobs{ready=\"false\"})", "jobs"))
                        .alarmAt(1),
                Panel.number(
                        "Ready jobs",
                        "none",
                        "DistributedJobs whose condition Ready is true.",
                        new Query("sum(soloist_operator_jobs{ready=\"true\"})", "jobs")),
                Panel.number(
                                "Pods without a sidecar",
                                "none",
                                "Pods that a job selects and that have no sidecar: the annotation is missing, or they are older"
                                        + " than the installation.",
                                new Query("sum(soloist_operator_uninjected_pods)", "pods"))
                        .alarmAt(1),
                Panel.number(
                        "Serving certificate ends",
                        "dateTimeFromNow",
                        "End of the webhook's certificate. The operator renews it long before.",
                        new Query("1000 * min(soloist_operator_cert_expiry_timestamp_seconds)", "end")),
                Panel.lines(
                        "Reconciler passes",
                        "ops",
                        "Passes of the reconcilers per second, and those that failed and are repeated.",
                        byController("soloist_operator_reconciles_total", "{{controller}}"),
                        byController("soloist_operator_errors_total", "{{controller}} failed")),
                Panel.lines(
                        "Duration of passes",
                        "s",
                        "Duration of a reconciler's pass, 99th percentile.",
                        quantile("0.99", "soloist_operator_reconcile_seconds", "", "controller", "{{controller}}")),
                Panel.lines(
                        "Status writes",
                        "ops",
                        "Writes of a DistributedJob's status per second: at most one per job every ten seconds.",
                        new Query("sum(" + rate("soloist_operator_status_writes_total", "") + ")", "writes")),
                Panel.lines(
                        "Injections",
                        "opm",
                        "Answers of the webhook per minute, by result. A refusal carries a sentence for the user.",
                        new Query(
                                "60 * sum by (result) (" + rate("soloist_operator_webhook_requests_total", "") + ")",
                                "{{result}}")),
                Panel.lines(
                        "Webhook's time to answer",
                        "s",
                        "Time that the webhook adds to the creation of a pod, median and 99th percentile.",
                        quantile("0.5", "soloist_operator_webhook_seconds", "", "", "p50"),
                        quantile("0.99", "soloist_operator_webhook_seconds", "", "", "p99")),
                Panel.lines(
                        "Raised terms",
                        "opm",
                        "Times per minute that Redis may have lost writes, so that the fences of a job were lifted above all"
                                + " that were given out before.",
                        new Query("60 * sum(" + rate("soloist_operator_terms_raised_total", "") + ")", "raised")));
    }

    private static Query byController(String counter, String legend) {
        return new Query("sum by (controller) (" + rate(counter, "") + ")", legend);
    }
}
