package dev.soloist.crds.job;

/// Bounds and defaults of the spec, written once for the schema and for Java. Numbers of the schema's defaults are
/// repeated as texts in the annotations; a test compares both on a real API server.
final class JobLimits {

    static final int MAX_LABELS = 16;
    static final int CRON_LENGTH = 120;
    static final int ZONE_LENGTH = 64;
    static final String TRIGGER_TIMEOUT = "5m";
    static final String BACKOFF_INITIAL = "5s";
    static final int BACKOFF_FACTOR = 2;
    static final String BACKOFF_MAX = "5m";
    static final int RETRY_LIMIT = 3;
    static final String VISIBILITY_TIMEOUT = "30s";
    static final int MAX_ATTEMPTS = 10;
    static final int CONCURRENCY = 10;

    static final String STREAM_RETENTION = "24h";
    static final int STREAM_LENGTH = 100_000;
    static final String DEDUPLICATION_WINDOW = "1h";
    static final String MAX_PAYLOAD = "256Ki";
    static final int MAX_DEPTH = 1_000_000;
    static final String DEAD_MAX_AGE = "168h";
    static final int DEAD_LENGTH = 10_000;
    static final int SHARDS = 1;
    static final int EVENTS = 1000;

    private JobLimits() {}
}
