package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// How a lease is kept in Redis.
public enum Backend {
    /// One key per lease (`SET NX PX`).
    @JsonProperty("String")
    STRING,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
