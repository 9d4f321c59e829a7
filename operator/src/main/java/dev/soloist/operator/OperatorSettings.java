package dev.soloist.operator;

import dev.soloist.coordination.key.Install;
import dev.soloist.crds.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// What the operator is told by its environment; README.md explains each.
///
/// @param webhookConfiguration empty: no webhook is served
/// @param takeOverFrom uid of a former cluster whose data become this one's; empty for none
record OperatorSettings(
        String podName,
        String namespace,
        Install install,
        String sidecarImage,
        String sidecarPullPolicy,
        Path storeDirectory,
        int webhookPort,
        String webhookConfiguration,
        int metricsPort,
        Duration deletionTimeout,
        String takeOverFrom) {

    /// @throws IllegalArgumentException naming the variable that is wrong or missing
    static OperatorSettings read(Map<String, String> environment) {
        return new OperatorSettings(
                required(environment, "POD_NAME"),
                required(environment, "POD_NAMESPACE"),
                new Install(environment.getOrDefault("SOLOIST_INSTALL", Install.MAIN.name())),
                required(environment, "SOLOIST_SIDECAR_IMAGE"),
                environment.getOrDefault("SOLOIST_SIDECAR_PULL_POLICY", "IfNotPresent"),
                Path.of(environment.getOrDefault("SOLOIST_STORE_DIR", "/etc/soloist/store")),
                port(environment, "SOLOIST_WEBHOOK_PORT", 9443),
                environment.getOrDefault("SOLOIST_WEBHOOK_CONFIGURATION", "soloist-injector"),
                port(environment, "SOLOIST_METRICS_PORT", 8080),
                duration(environment, "SOLOIST_DELETION_TIMEOUT", "2m"),
                environment.getOrDefault("SOLOIST_TAKE_OVER_FROM", "").strip());
    }

    private static String required(Map<String, String> environment, String name) {
        var value = environment.getOrDefault(name, "").strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the environment variable " + name + " must be set");
        }
        return value;
    }

    private static int port(Map<String, String> environment, String name, int otherwise) {
        var value = environment.getOrDefault(name, String.valueOf(otherwise)).strip();
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > 65535) {
            throw new IllegalArgumentException(name + " must be a port, not '" + value + "'");
        }
        return Integer.parseInt(value);
    }

    private static Duration duration(Map<String, String> environment, String name, String otherwise) {
        var value = environment.getOrDefault(name, otherwise).strip();
        try {
            return GoDuration.parse(value);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(name + " must be a duration such as 2m, not '" + value + "'", malformed);
        }
    }
}
