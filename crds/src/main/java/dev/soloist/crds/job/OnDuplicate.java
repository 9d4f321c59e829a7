package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What happens to an enqueued task whose id is already waiting.
public enum OnDuplicate {
    /// The new one is refused.
    @JsonProperty("Reject")
    REJECT,

    /// The earlier due time stays: a task is never postponed by being enqueued again.
    @JsonProperty("KeepEarliest")
    KEEP_EARLIEST,

    /// The later due time stays: the task moves on with each new enqueue.
    @JsonProperty("KeepLatest")
    KEEP_LATEST,

    /// The new one takes the place of the old, payload and due time.
    @JsonProperty("Replace")
    REPLACE,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
