package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What carries due tasks to the pods.
public enum Transport {
    /// One shared Redis list of ready tasks.
    @JsonProperty("List")
    LIST,

    /// A Redis stream with one consumer group; what was handled can be replayed for a while.
    @JsonProperty("Stream")
    STREAM,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
