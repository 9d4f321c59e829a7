package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The whole dashboard. Ids of panels follow their order, so a new panel at the end of a row moves the ids after it. */
final class Dashboard {

    static final String UID = "soloist-overview";

    /** Grafana 10.4 and newer read it as it is. */
    static final int SCHEMA_VERSION = 39;

    private static final List<Row> ROWS = List.of(
            JobsRow.row(),
            HoldersRow.row(),
            LatenessRow.row(),
            FailuresRow.row(),
            QueuesRow.row(),
            StoreRow.row(),
            ReclaimRow.row(),
            OperatorRow.row());

    private Dashboard() {}

    static ObjectNode json() {
        var dashboard = Json.object()
                .put("uid", UID)
                .put("title", "Soloist")
                .put("description", "Singleton and delayed jobs: who holds what, how late, what fails, what waits")
                .put("schemaVersion", SCHEMA_VERSION)
                .put("version", 1)
                .put("editable", false)
                .put("graphTooltip", 1)
                .put("refresh", "30s")
                .put("timezone", "browser");
        dashboard.putArray("tags").add("soloist");
        dashboard.set("time", Json.object().put("from", "now-1h").put("to", "now"));
        dashboard.set("templating", Json.object().set("list", Json.array(Variables.all())));
        var panels = dashboard.putArray("panels");
        int y = 0;
        for (var row : ROWS) {
            y = add(row, panels, y);
        }
        return dashboard;
    }

    private static int add(Row row, ArrayNode panels, int top) {
        panels.add(title(row, panels.size() + 1, top));
        int x = 0;
        int y = top + 1;
        int height = 0;
        for (var panel : row.panels()) {
            if (x + panel.width() > 24) {
                x = 0;
                y += height;
                height = 0;
            }
            panels.add(panel.json(panels.size() + 1, x, y));
            x += panel.width();
            height = Math.max(height, panel.height());
        }
        return y + height;
    }

    private static ObjectNode title(Row row, int id, int y) {
        var title = Json.object()
                .put("id", id)
                .put("type", "row")
                .put("title", row.title())
                .put("collapsed", false);
        title.set("gridPos", Json.object().put("h", 1).put("w", 24).put("x", 0).put("y", y));
        title.putArray("panels");
        return title;
    }
}
