package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// When a finished run gives its lease back.
public enum ReleasePolicy {
    /// At once.
    @JsonProperty("OnCompletion")
    ON_COMPLETION,

    /// When the next run is due.
    @JsonProperty("HoldUntilNextRun")
    HOLD_UNTIL_NEXT_RUN,

    /// A fixed time after the run.
    @JsonProperty("HoldFor")
    HOLD_FOR,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
