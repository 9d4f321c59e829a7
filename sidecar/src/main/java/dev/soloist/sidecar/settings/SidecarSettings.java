package dev.soloist.sidecar.settings;

import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.coordination.contract.Variable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Everything the sidecar is told from outside.
 *
 * @param segmentBase base name of this pod's delayed segments, normally the pod's UID
 * @param triggerPort the app's port instead of that of every job; only where several pods share one host
 * @param endsWithApp whether the sidecar is told to end while the app may still be at work
 */
public record SidecarSettings(
        SidecarEnvironment environment,
        String namespace,
        String podName,
        String podUid,
        String segmentBase,
        OptionalInt triggerPort,
        boolean endsWithApp) {

    /** Settings of a pod with a network of its own and a native sidecar. */
    public SidecarSettings(
            SidecarEnvironment environment, String namespace, String podName, String podUid, String segmentBase) {
        this(environment, namespace, podName, podUid, segmentBase, OptionalInt.empty(), false);
    }

    /** Reads the environment; a missing pod field is a mistake of whoever wrote the pod, said in one sentence. */
    public static SidecarSettings fromEnvironment(Map<String, String> env) {
        var podUid = required(env, Variable.POD_UID);
        var segment = env.getOrDefault(Variable.SEGMENT.key(), podUid);
        if (segment.contains("$(")) {
            throw new IllegalArgumentException(
                    Variable.SEGMENT.key() + " is '" + segment + "': " + Variable.POD_UID.key()
                            + " must stand before it in the container's environment, then the kubelet expands it");
        }
        return new SidecarSettings(
                SidecarEnvironment.fromEnvironment(env),
                required(env, Variable.POD_NAMESPACE),
                required(env, Variable.POD_NAME),
                podUid,
                segment,
                triggerPort(env.getOrDefault(Variable.TRIGGER_PORT.key(), "").strip()),
                endsWithApp(env.getOrDefault(Variable.ENDS_WITH_APP.key(), "").strip()));
    }

    private static boolean endsWithApp(String text) {
        return switch (text) {
            case "", "false" -> false;
            case "true" -> true;
            default ->
                throw new IllegalArgumentException(
                        Variable.ENDS_WITH_APP.key() + " must be true or false, not '" + text + "'");
        };
    }

    private static OptionalInt triggerPort(String text) {
        try {
            return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    Variable.TRIGGER_PORT.key() + " must be a port number, not '" + text + "'", e);
        }
    }

    private static String required(Map<String, String> env, Variable variable) {
        var value = env.getOrDefault(variable.key(), "").strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException(
                    variable.key() + " is not set: the injector writes it from the pod's own fields");
        }
        return value;
    }

    /** Where a file of the store's Secret is, if it is there. */
    public Path storeDirectory() {
        return Path.of(environment.storeDir());
    }

    /** Where the localhost token is. */
    public Path tokenFile() {
        return Path.of(environment.tokenFile());
    }

    /** How long the end may take: the pod's grace less five seconds for what the kubelet does around it. */
    public Duration shutdownBudget() {
        return Duration.ofSeconds(Math.max(1, environment.graceSeconds() - 5));
    }
}
