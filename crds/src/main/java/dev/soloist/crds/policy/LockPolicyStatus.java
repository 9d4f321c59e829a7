package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the operator reports. A bean that is filled and written whole; not safe for use by several threads.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class LockPolicyStatus {

    @JsonPropertyDescription("The generation of the spec that this status speaks of.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("Ready, Reconciling, Stalled.")
    private @Nullable List<Condition> conditions;

    @JsonPropertyDescription("The longest time without a holder after a crash: ttl + watchdog.every + watchdog.grace.")
    private @Nullable String worstCaseRecovery;

    @JsonPropertyDescription("How many DistributedJobs of this namespace name this policy.")
    private @Nullable Integer usedBy;

    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    public @Nullable List<Condition> getConditions() {
        return conditions;
    }

    public void setConditions(@Nullable List<Condition> conditions) {
        this.conditions = conditions;
    }

    public @Nullable String getWorstCaseRecovery() {
        return worstCaseRecovery;
    }

    public void setWorstCaseRecovery(@Nullable String worstCaseRecovery) {
        this.worstCaseRecovery = worstCaseRecovery;
    }

    public @Nullable Integer getUsedBy() {
        return usedBy;
    }

    public void setUsedBy(@Nullable Integer usedBy) {
        this.usedBy = usedBy;
    }
}
