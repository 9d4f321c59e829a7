package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What becomes of a singleton on a store that may lose a lease by itself.
public enum Safety {
    /// No run starts, and no job is seeded.
    @JsonProperty("Strict")
    STRICT,

    /// Runs start, and a condition warns.
    @JsonProperty("Lenient")
    LENIENT,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
