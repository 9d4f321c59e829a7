package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One panel.
 *
 * @param kind how it is drawn
 * @param unit Grafana's id of the unit
 * @param alarm value from which on it is red; {@code NaN} for none
 * @param width columns out of 24
 */
record Panel(Kind kind, String title, String description, String unit, double alarm, int width, List<Query> queries) {

    enum Kind {
        TIMESERIES("timeseries", 8),
        STAT("stat", 4),
        STATE_TIMELINE("state-timeline", 8);

        private final String type;
        private final int height;

        Kind(String type, int height) {
            this.type = type;
            this.height = height;
        }
    }

    /** Lines over time, a third of the row. */
    static Panel lines(String title, String unit, String description, Query... queries) {
        return new Panel(Kind.TIMESERIES, title, description, unit, Double.NaN, 8, List.of(queries));
    }

    /** One number, a sixth of the row. */
    static Panel number(String title, String unit, String description, Query... queries) {
        return new Panel(Kind.STAT, title, description, unit, Double.NaN, 4, List.of(queries));
    }

    /** States of several series over time, the whole row. */
    static Panel states(String title, String unit, String description, Query... queries) {
        return new Panel(Kind.STATE_TIMELINE, title, description, unit, Double.NaN, 24, List.of(queries));
    }

    /** Red from this value on. */
    Panel alarmAt(double value) {
        return new Panel(kind, title, description, unit, value, width, queries);
    }

    Panel wide(int columns) {
        return new Panel(kind, title, description, unit, alarm, columns, queries);
    }

    int height() {
        return kind.height;
    }

    ObjectNode json(int id, int x, int y) {
        var panel = Json.object().put("id", id).put("type", kind.type).put("title", title);
        panel.put("description", description);
        panel.set("datasource", Json.datasource());
        panel.set(
                "gridPos",
                Json.object().put("h", height()).put("w", width).put("x", x).put("y", y));
        panel.set("fieldConfig", fieldConfig());
        panel.set("options", options());
        panel.set(
                "targets",
                Json.array(IntStream.range(0, queries.size())
                        .mapToObj(i -> queries.get(i).json(i))
                        .toList()));
        return panel;
    }

    private ObjectNode fieldConfig() {
        var defaults = Json.object().put("unit", unit);
        defaults.set("color", Json.object().put("mode", kind == Kind.TIMESERIES ? "palette-classic" : "thresholds"));
        defaults.set("thresholds", thresholds());
        if (kind == Kind.TIMESERIES) {
            var custom = Json.object().put("fillOpacity", 10).put("showPoints", "never");
            custom.set("thresholdsStyle", Json.object().put("mode", Double.isNaN(alarm) ? "off" : "line"));
            defaults.set("custom", custom);
        }
        var config = Json.object();
        config.set("defaults", defaults);
        config.putArray("overrides");
        return config;
    }

    private ObjectNode thresholds() {
        var thresholds = Json.object().put("mode", "absolute");
        var steps = thresholds.putArray("steps");
        steps.add(Json.object().put("color", "green").putNull("value"));
        if (!Double.isNaN(alarm)) {
            steps.add(Json.object().put("color", "red").put("value", alarm));
        }
        return thresholds;
    }

    private ObjectNode options() {
        var options = Json.object();
        switch (kind) {
            case TIMESERIES -> {
                options.set("legend", legend());
                options.set("tooltip", Json.object().put("mode", "multi").put("sort", "desc"));
            }
            case STAT -> {
                options.put("colorMode", "value").put("graphMode", "area");
                var reduce = Json.object().put("values", false);
                reduce.putArray("calcs").add("lastNotNull");
                options.set("reduceOptions", reduce);
            }
            case STATE_TIMELINE -> {
                options.put("mergeValues", true).put("showValue", "never");
                options.set("legend", legend());
            }
        }
        return options;
    }

    private static ObjectNode legend() {
        return Json.object()
                .put("displayMode", "list")
                .put("placement", "bottom")
                .put("showLegend", true);
    }
}
