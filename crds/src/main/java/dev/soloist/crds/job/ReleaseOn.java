package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What becomes of the deduplication key of a task that died.
public enum ReleaseOn {
    /// The dead letter keeps it: until it was requeued and handled, or removed.
    @JsonProperty("Success")
    SUCCESS,

    /// It is free at once.
    @JsonProperty("Terminal")
    TERMINAL,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
