package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// How many tasks all pods together may begin within any span of a given length.
@ValidationRule(value = DelayedCel.RATE_PER, message = DelayedSentences.RATE_PER, fieldPath = ".per")
@ValidationRule(value = DelayedCel.RATE_PER_BOUNDS, message = DelayedSentences.RATE_PER_BOUNDS, fieldPath = ".per")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RateLimit(
        @Required
        @Min(1)
        @Max(10000)
        @JsonPropertyDescription("At most this many tasks begin within any span of the length per.")
        @Nullable
        Integer max,

        @Required
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("The length of the sliding window, such as 1m. 100ms to 24h.")
        @Nullable
        String per) {}
