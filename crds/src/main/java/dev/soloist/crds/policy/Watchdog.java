package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// How the other pods look after a lease whose holder may be gone.
@ValidationRule(value = PolicyCel.WATCHDOG_EVERY, message = PolicySentences.WATCHDOG_EVERY, fieldPath = ".every")
@ValidationRule(value = PolicyCel.WATCHDOG_MIN, message = PolicySentences.WATCHDOG_MIN, fieldPath = ".every")
@ValidationRule(value = PolicyCel.GRACE, message = PolicySentences.GRACE, fieldPath = ".grace")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Watchdog(
        @Default(PolicyLimits.WATCHDOG_EVERY)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("Time from one look to the next. At least 1s.")
        @Nullable
        String every,

        @Default(PolicyLimits.WATCHDOG_GRACE)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("How long past its end a lease is left alone, for a renewal on its way.")
        @Nullable
        String grace) {}
