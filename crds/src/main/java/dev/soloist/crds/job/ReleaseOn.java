package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// Which end of a task lets its key be used again before the window is over.
public enum ReleaseOn {
    /// Only success: while the task fails, and after it is dead, the key stays taken.
    @JsonProperty("Success")
    SUCCESS,

    /// Any end: success, dead letter or cancellation.
    @JsonProperty("Terminal")
    TERMINAL,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
