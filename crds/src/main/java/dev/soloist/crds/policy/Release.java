package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// When a finished run gives its lease back.
@ValidationRule(value = PolicyCel.HOLD_FOR_IF_HOLD_FOR, message = PolicySentences.HOLD_FOR_IF_HOLD_FOR)
@ValidationRule(value = PolicyCel.HOLD_FOR, message = PolicySentences.HOLD_FOR, fieldPath = ".holdFor")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Release(
        @Default("HoldUntilNextRun")
        @JsonPropertyDescription(
                "OnCompletion: at once. HoldUntilNextRun: when the next run is due. HoldFor: after holdFor.")
        @Nullable
        ReleasePolicy policy,

        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("How long the lease is held after the run. With policy HoldFor, and only with it.")
        @Nullable
        String holdFor) {}
