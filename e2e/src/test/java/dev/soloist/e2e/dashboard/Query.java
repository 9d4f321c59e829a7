package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One query of a panel.
 *
 * @param expression PromQL with Grafana's variables
 * @param legend name of each series, with labels in double braces
 */
record Query(String expression, String legend) {

    /** What every query about a job must select by. */
    static final String JOB = "namespace=~\"$namespace\", djob=~\"$djob\"";

    /** What every query about a sidecar must select by. */
    static final String SIDECAR = "namespace=~\"$namespace\"";

    /** Sum of a job counter's rate, per second, by the given labels. */
    static Query perSecond(String counter, String by) {
        return new Query("sum by (" + by + ") (" + rate(counter, JOB) + ")", legendOf(by));
    }

    /** Sum of a job counter's rate, per minute, by the given labels: jobs run seldom. */
    static Query perMinute(String counter, String by) {
        return new Query("60 * sum by (" + by + ") (" + rate(counter, JOB) + ")", legendOf(by));
    }

    /** A quantile of a histogram over the instances, by the given labels; {@code by} may be empty. */
    static Query quantile(String quantile, String histogram, String selector, String by, String legend) {
        var labels = by.isEmpty() ? "le" : "le, " + by;
        return new Query(
                "histogram_quantile(" + quantile + ", sum by (" + labels + ") (" + rate(histogram + "_bucket", selector)
                        + "))",
                legend);
    }

    static String rate(String counter, String selector) {
        return "rate(" + counter + (selector.isEmpty() ? "" : "{" + selector + "}") + "[$__rate_interval])";
    }

    ObjectNode json(int index) {
        var target = Json.object();
        target.set("datasource", Json.datasource());
        return target.put("editorMode", "code")
                .put("expr", expression)
                .put("legendFormat", legend)
                .put("range", true)
                .put("refId", String.valueOf((char) ('A' + index)));
    }

    private static String legendOf(String by) {
        return "{{" + by.replace(", ", "}} {{") + "}}";
    }
}
