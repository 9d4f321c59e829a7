package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What the reader can choose at the top: the Prometheus, namespaces of pods with sidecars, and jobs in them. */
final class Variables {

    private Variables() {}

    static List<ObjectNode> all() {
        return List.of(
                datasource(),
                query(
                        "namespace",
                        "Namespace",
                        "Namespace of the pods that have a sidecar",
                        "label_values(soloist_store_up, namespace)"),
                query(
                        "djob",
                        "Job",
                        "Name of a DistributedJob",
                        "label_values({__name__=~\"soloist_runs_total|soloist_tasks_delivered_total\","
                                + " namespace=~\"$namespace\"}, djob)"));
    }

    private static ObjectNode datasource() {
        var variable = Json.object()
                .put("type", "datasource")
                .put("name", "datasource")
                .put("label", "Data source")
                .put("description", "The Prometheus that scrapes sidecars and operator")
                .put("query", "prometheus")
                .put("hide", 0)
                .put("multi", false)
                .put("includeAll", false)
                .put("refresh", 1)
                .put("regex", "");
        variable.putObject("current");
        return variable;
    }

    private static ObjectNode query(String name, String label, String description, String definition) {
        var variable = Json.object()
                .put("type", "query")
                .put("name", name)
                .put("label", label)
                .put("description", description);
        variable.set("datasource", Json.datasource());
        variable.put("definition", definition);
        variable.set("query", Json.object().put("query", definition).put("refId", "variable-" + name));
        variable.put("hide", 0)
                .put("multi", true)
                .put("includeAll", true)
                .put("allValue", ".*")
                .put("refresh", 2)
                .put("sort", 1)
                .put("regex", "");
        var current = variable.putObject("current");
        current.put("selected", true);
        current.putArray("text").add("All");
        current.putArray("value").add("$__all");
        return variable;
    }
}
