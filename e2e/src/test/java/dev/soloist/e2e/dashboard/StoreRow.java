package dev.soloist.e2e.dashboard;

import static dev.soloist.e2e.dashboard.Query.SIDECAR;
import static dev.soloist.e2e.dashboard.Query.quantile;
import static dev.soloist.e2e.dashboard.Query.rate;

/** The store as the sidecars see it. */
final class StoreRow {

    private StoreRow() {}

    static Row row() {
        return new Row(
                "Store",
                Panel.number(
                                "Sidecars without the store",
                                "none",
                                "Sidecars that are not connected to Redis. Their apps run on, without jobs.",
                                new Query("count(soloist_store_up{" + SIDECAR + "} == 0) or vector(0)", "sidecars"))
                        .alarmAt(1)
                        .wide(6),
                Panel.number(
                                "Sidecars that refuse the store",
                                "none",
                                "Sidecars that find less, or another mode, in the store than they were told of: nothing runs there.",
                                new Query("sum(soloist_store_mode{mode=\"Refused\", " + SIDECAR + "})", "sidecars"))
                        .alarmAt(1),
                Panel.number(
                                "Sidecars whose store may evict leases",
                                "none",
                                "The store's maxmemory-policy is not noeviction: strict singletons start no run there.",
                                new Query("count(soloist_store_safe{" + SIDECAR + "} == 0) or vector(0)", "sidecars"))
                        .alarmAt(1),
                Panel.number(
                                "Greatest clock skew",
                                "s",
                                "Greatest difference of a pod's clock from Redis' clock. Harmless for due times, which are Redis'"
                                        + " own; it tells of a node whose time is not kept.",
                                new Query("max(abs(soloist_clock_skew_seconds{" + SIDECAR + "}))", "skew"))
                        .alarmAt(5)
                        .wide(6),
                Panel.number(
                                "Calls",
                                "ops",
                                "Calls to Redis per second, all sidecars of the chosen namespaces.",
                                new Query("sum(" + rate("soloist_store_command_seconds_count", SIDECAR) + ")", "calls"))
                        .wide(6),
                Panel.number(
                                "Calls per sidecar",
                                "ops",
                                "Calls to Redis per second, mean over the sidecars.",
                                new Query("avg(" + rate("soloist_store_command_seconds_count", SIDECAR) + ")", "calls"))
                        .wide(6),
                Panel.lines(
                                "Round trips",
                                "s",
                                "Round trip of a call to Redis, median and 99th percentile. A lease is renewed in time only if this"
                                        + " stays far below the heartbeat.",
                                quantile(
                                        "0.5",
                                        "soloist_store_command_seconds",
                                        SIDECAR,
                                        "namespace",
                                        "{{namespace}} p50"),
                                quantile(
                                        "0.99",
                                        "soloist_store_command_seconds",
                                        SIDECAR,
                                        "namespace",
                                        "{{namespace}} p99"))
                        .wide(12),
                Panel.lines(
                                "Failed calls",
                                "ops",
                                "Calls to Redis that failed, per second, by kind.",
                                new Query(
                                        "sum by (kind) (" + rate("soloist_store_errors_total", SIDECAR) + ")",
                                        "{{kind}}"))
                        .wide(12));
    }
}
