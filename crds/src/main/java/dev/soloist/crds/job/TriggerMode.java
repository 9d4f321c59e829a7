package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// How the app reports the result.
public enum TriggerMode {
    /// The answer to the request is the result.
    @JsonProperty("Sync")
    SYNC,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
