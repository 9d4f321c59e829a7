package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// How many servers must have a lease or an accepted task before it counts.
///
/// The fields beside `mode` have no default in the schema: a default would stand beside `Local` too, and only
/// [EffectivePolicy] fills them in.
@ValidationRule(value = PolicyCel.REPLICAS_IF_REPLICATED, message = PolicySentences.REPLICAS_IF_REPLICATED)
@ValidationRule(value = PolicyCel.ACK_TIMEOUT, message = PolicySentences.ACK_TIMEOUT, fieldPath = ".timeout")
@ValidationRule(
        value = PolicyCel.ACK_TIMEOUT_BOUNDS,
        message = PolicySentences.ACK_TIMEOUT_BOUNDS,
        fieldPath = ".timeout")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Durability(
        @Default("Local")
        @JsonPropertyDescription(
                "Local: a lease or a task counts when the Redis primary has it; a failover may forget it."
                        + " Replicated: only when replicas have it too; while too few answer, no run starts or goes on and no"
                        + " task is accepted.")
        @Nullable
        DurabilityMode mode,

        @Min(1)
        @Max(5)
        @JsonPropertyDescription(
                "How many replicas must have it: all that may be promoted. With mode Replicated, and only with it; 1 if left"
                        + " out.")
        @Nullable
        Integer replicas,

        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "How long to wait for the replicas, 10ms to 5s, at most half of heartbeat.every and a sixth of ttl. With mode"
                        + " Replicated, and only with it; 500ms if left out.")
        @Nullable
        String timeout) {

    boolean isReplicated() {
        return mode == DurabilityMode.REPLICATED;
    }
}
