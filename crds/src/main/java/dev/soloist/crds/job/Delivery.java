package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// How often a task is handed out.
public enum Delivery {
    /// Until somebody has handled it: again when its pod dies or fails.
    @JsonProperty("AtLeastOnce")
    AT_LEAST_ONCE,

    /// Never a second time: a task whose pod dies with it is lost.
    @JsonProperty("AtMostOnce")
    AT_MOST_ONCE,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
