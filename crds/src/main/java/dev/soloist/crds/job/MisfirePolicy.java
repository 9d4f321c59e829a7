package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What happens to due moments at which no run could start, when one can again.
public enum MisfirePolicy {
    /// One run stands for all of them, and is told how many they were.
    @JsonProperty("RunOnce")
    RUN_ONCE,

    /// They are passed over; the next due moment is waited for.
    @JsonProperty("Skip")
    SKIP,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
