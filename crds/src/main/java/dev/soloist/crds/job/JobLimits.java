package dev.soloist.crds.job;

/// Bounds and defaults of the spec, written once for the schema and for Java.
final class JobLimits {

    static final int MAX_LABELS = 16;
    static final String TRIGGER_TIMEOUT = "5m";
    static final String BACKOFF_INITIAL = "5s";
    static final String BACKOFF_MAX = "5m";
    static final String VISIBILITY_TIMEOUT = "30s";

    private JobLimits() {}
}
