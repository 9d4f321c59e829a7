package dev.soloist.crds.job;

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

/// How long tasks are kept that no attempt could handle.
@ValidationRule(value = DelayedCel.DEAD_AGE, message = DelayedSentences.DEAD_AGE, fieldPath = ".maxAge")
@ValidationRule(value = DelayedCel.DEAD_AGE_BOUNDS, message = DelayedSentences.DEAD_AGE_BOUNDS, fieldPath = ".maxAge")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetter(
        @Default(JobLimits.DEAD_MAX_AGE)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("Older dead letters are purged. 1m to 8760h.")
        @Nullable
        String maxAge,

        @Default("10000")
        @Min(1)
        @Max(1000000)
        @JsonPropertyDescription("Of more dead letters than this the oldest are purged.")
        @Nullable
        Integer maxLength) {}
