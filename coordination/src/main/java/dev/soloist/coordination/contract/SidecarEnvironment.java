package dev.soloist.coordination.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The part of the sidecar's environment that the injector decides. What the pod decides itself is in {@link PodField}: the injector
 * writes those as {@code fieldRef}, and they must stand before {@link Variable#SEGMENT}, which refers to one of them.
 *
 * @param install name of the installation, part of every Redis key
 * @param apiPort localhost API
 * @param metricsAddress address the metrics server binds; {@code 0.0.0.0} for the pod's own
 * @param metricsPort metrics and probes
 * @param storeDir directory of the {@link StoreFile}s
 * @param tokenFile localhost bearer token, written by the sidecar
 * @param graceSeconds the pod's termination grace period
 * @param logLevel {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 */
public record SidecarEnvironment(
        String install,
        int apiPort,
        String metricsAddress,
        int metricsPort,
        String storeDir,
        String tokenFile,
        int graceSeconds,
        String logLevel) {

    /** Base name of the pod's delayed segments; the kubelet expands it, each start of the sidecar adds its own suffix. */
    public static final String SEGMENT_TEMPLATE = "$(" + Variable.POD_UID.key() + ")";

    public static final int DEFAULT_API_PORT = 7600;
    public static final int DEFAULT_METRICS_PORT = 7601;
    public static final String DEFAULT_STORE_DIR = "/var/run/soloist/store";
    public static final String DEFAULT_TOKEN_FILE = "/var/run/soloist/token";

    /** Defaults of the product; the grace is Kubernetes' own default. */
    public static SidecarEnvironment defaults(String install) {
        return new SidecarEnvironment(
                install,
                DEFAULT_API_PORT,
                "0.0.0.0",
                DEFAULT_METRICS_PORT,
                DEFAULT_STORE_DIR,
                DEFAULT_TOKEN_FILE,
                30,
                "INFO");
    }

    /** Literal variables in a stable order, to be written after the {@link PodField}s. */
    public Map<String, String> toEnvironment() {
        var env = new LinkedHashMap<String, String>();
        env.put(Variable.INSTALL.key(), install);
        env.put(Variable.SEGMENT.key(), SEGMENT_TEMPLATE);
        env.put(Variable.API_PORT.key(), Integer.toString(apiPort));
        env.put(Variable.METRICS_ADDRESS.key(), metricsAddress);
        env.put(Variable.METRICS_PORT.key(), Integer.toString(metricsPort));
        env.put(Variable.STORE_DIR.key(), storeDir);
        env.put(Variable.TOKEN_FILE.key(), tokenFile);
        env.put(Variable.GRACE_SECONDS.key(), Integer.toString(graceSeconds));
        env.put(Variable.LOG_LEVEL.key(), logLevel);
        return env;
    }

    /**
     * Reads what {@link #toEnvironment()} wrote; absent variables take their defaults.
     *
     * @throws InvalidEnvironment naming the variable that cannot be read
     */
    public static SidecarEnvironment fromEnvironment(Map<String, String> env) {
        var d = defaults("main");
        return new SidecarEnvironment(
                text(env, Variable.INSTALL, d.install),
                number(env, Variable.API_PORT, d.apiPort),
                text(env, Variable.METRICS_ADDRESS, d.metricsAddress),
                number(env, Variable.METRICS_PORT, d.metricsPort),
                text(env, Variable.STORE_DIR, d.storeDir),
                text(env, Variable.TOKEN_FILE, d.tokenFile),
                number(env, Variable.GRACE_SECONDS, d.graceSeconds),
                text(env, Variable.LOG_LEVEL, d.logLevel));
    }

    private static String text(Map<String, String> env, Variable variable, String otherwise) {
        return read(env, variable, otherwise, Function.identity());
    }

    private static int number(Map<String, String> env, Variable variable, int otherwise) {
        return read(env, variable, otherwise, value -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= 0 && number <= 65535) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // falls through to the sentence below
            }
            throw new InvalidEnvironment(
                    variable.key() + " must be a whole number from 0 to 65535, not '" + value + "'");
        });
    }

    private static <T> T read(Map<String, String> env, Variable variable, T otherwise, Function<String, T> parse) {
        var value = env.getOrDefault(variable.key(), "").strip();
        return value.isEmpty() ? otherwise : parse.apply(value);
    }
}
