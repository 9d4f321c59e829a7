package dev.soloist.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;

/// Finds the fields that `kubectl explain` would show without a word.
final class Descriptions {

    private Descriptions() {}

    static List<String> missingIn(JSONSchemaProps schema) {
        var missing = new ArrayList<String>();
        collect("", schema, missing);
        return missing;
    }

    private static void collect(String path, JSONSchemaProps schema, List<String> missing) {
        if (schema.getDescription() == null) {
            missing.add(path.isEmpty() ? "the kind itself" : path);
        }
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, field) -> {
                if (!isStandard(path, name)) {
                    collect(path + "." + name, field, missing);
                }
            });
        }
    }

    /// Fields that every object has are explained by the server.
    private static boolean isStandard(String path, String name) {
        return path.isEmpty() && !name.equals("spec") && !name.equals("status");
    }
}
