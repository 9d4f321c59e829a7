package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// How a lease is kept in Redis.
public enum Backend {
    /// One key per lease (`SET NX PX`).
    @JsonProperty("String")
    STRING,

    /// A hash of all leases of the namespace beside a set of their ends, so that they can be listed.
    @JsonProperty("Hash")
    HASH,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
