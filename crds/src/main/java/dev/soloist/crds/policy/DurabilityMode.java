package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// When a lease, or an accepted task, counts as written.
public enum DurabilityMode {
    /// When the primary has it. A failover may forget it.
    @JsonProperty("Local")
    LOCAL,

    /// When so many replicas have it, too.
    @JsonProperty("Replicated")
    REPLICATED,

    /// A value of another version of Soloist. Never valid.
    @JsonIgnore
    @JsonEnumDefaultValue
    UNKNOWN
}
