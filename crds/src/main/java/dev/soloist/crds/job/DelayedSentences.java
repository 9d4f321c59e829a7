package dev.soloist.crds.job;

/// What a user reads when a rule of delayed work is broken, from the API server and from Java alike.
final class DelayedSentences {

    private static final String DURATION =
            " must be a positive duration such as 30s, 5m or 1h30m, in the units h, m, s, ms (for a day write 24h)";

    static final String TRANSPORT =
            "spec.delayed.transport must be List or Stream, which keep a task until it is handled. Pub/Sub is no task queue:"
                    + " it keeps nothing, so what is sent while nobody listens is lost, and everybody who listens would do the"
                    + " work. For messages to every pod that is there use spec.broadcast";
    static final String STREAM_IF_STREAM =
            "spec.delayed.stream goes with spec.delayed.transport Stream and only with it, for a list keeps nothing of"
                    + " what was handled: set transport: Stream, or remove stream";
    static final String ONCE_IS_ONE_ATTEMPT =
            "spec.delayed.delivery AtMostOnce needs spec.delayed.maxAttempts 1, for a second attempt is a second"
                    + " delivery: set maxAttempts: 1, or delivery: AtLeastOnce";
    static final String ONCE_IN_A_LIST =
            "spec.delayed.delivery AtMostOnce does not go with spec.delayed.transport Stream, for a stream keeps what it"
                    + " has handed out: set transport: List, or delivery: AtLeastOnce";
    static final String RATE_IN_A_LIST =
            "spec.delayed.rateLimit does not go with spec.delayed.transport Stream, for a consumer group hands out without"
                    + " counting: set transport: List, or remove rateLimit";
    static final String RATE_IN_ONE_SHARD =
            "spec.delayed.rateLimit does not go with spec.delayed.shards above 1, for shards do not count together and"
                    + " the limit would not be exact: set shards: 1, or remove rateLimit";
    static final String STREAM_IN_ONE_SHARD =
            "spec.delayed.transport Stream does not go with spec.delayed.shards above 1, for a replay could put a task outside"
                    + " the shard that its id chooses: set shards: 1, or transport: List";
    static final String KEYS_IN_ONE_SHARD =
            "spec.delayed.deduplication does not go with spec.delayed.shards above 1, for the id chooses the shard and a"
                    + " key would be looked for in one shard only: set shards: 1 and deduplicate by key, or remove"
                    + " deduplication and use ids";
    static final String PAYLOAD =
            "spec.delayed.maxPayload must be a positive number of bytes, Ki or Mi, such as 64Ki, 256Ki or 1Mi";
    static final String PAYLOAD_MAX =
            "spec.delayed.maxPayload must be at most 1Mi, for Redis holds all tasks in memory: keep what is larger"
                    + " elsewhere and enqueue its address";
    static final String RETENTION = "spec.delayed.stream.retention" + DURATION;
    static final String RETENTION_BOUNDS =
            "spec.delayed.stream.retention must be between 1m and 720h: what is to be kept longer belongs into a database";
    static final String WINDOW = "spec.delayed.deduplication.window" + DURATION;
    static final String WINDOW_BOUNDS =
            "spec.delayed.deduplication.window must be between 1s and 720h: a shorter one lets repeats through, a longer"
                    + " one holds every key in memory";
    static final String DEAD_AGE = "spec.delayed.deadLetter.maxAge" + DURATION;
    static final String DEAD_AGE_BOUNDS =
            "spec.delayed.deadLetter.maxAge must be between 1m and 8760h: a shorter one purges before anybody looks";
    static final String RATE_PER = "spec.delayed.rateLimit.per" + DURATION;
    static final String RATE_PER_BOUNDS =
            "spec.delayed.rateLimit.per must be between 100ms and 24h: change spec.delayed.rateLimit.max with it";

    private DelayedSentences() {}
}
