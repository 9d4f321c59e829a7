package dev.soloist.coordination.contract;

/** Names of the environment variables of the sidecar container. Stable: a sidecar may be older than its injector. */
public enum Variable {
    INSTALL("SOLOIST_INSTALL"),
    POD_NAME("POD_NAME"),
    POD_NAMESPACE("POD_NAMESPACE"),
    POD_UID("POD_UID"),
    SEGMENT("SOLOIST_SEGMENT"),
    API_PORT("SOLOIST_API_PORT"),
    METRICS_ADDRESS("SOLOIST_METRICS_ADDRESS"),
    METRICS_PORT("SOLOIST_METRICS_PORT"),
    STORE_DIR("SOLOIST_STORE_DIR"),
    TOKEN_FILE("SOLOIST_TOKEN_FILE"),
    GRACE_SECONDS("SOLOIST_GRACE_SECONDS"),
    LOG_LEVEL("SOLOIST_LOG_LEVEL"),
    /** {@code true} for a sidecar that is told to end together with the app (an ordinary container); absent: after it. */
    ENDS_WITH_APP("SOLOIST_ENDS_WITH_APP"),
    /** Where several pods share one host (local mode): the app's port, instead of that of the job. No injector writes it. */
    TRIGGER_PORT("SOLOIST_TRIGGER_PORT");

    private final String key;

    Variable(String key) {
        this.key = key;
    }

    /** The name as it stands in the pod's specification. */
    public String key() {
        return key;
    }
}
