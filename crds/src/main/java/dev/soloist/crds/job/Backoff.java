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

/// Waits that grow from retry to retry: initial, initial × factor, initial × factor², … up to max.
@ValidationRule(value = JobCel.BACKOFF_INITIAL, message = JobSentences.BACKOFF_INITIAL, fieldPath = ".initial")
@ValidationRule(value = JobCel.BACKOFF_MAX, message = JobSentences.BACKOFF_MAX, fieldPath = ".max")
@ValidationRule(
        value = JobCel.BACKOFF_ORDER,
        message = JobSentences.BACKOFF_ORDER,
        messageExpression = JobCel.BACKOFF_ORDER_MESSAGE)
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Backoff(
        @Default(JobLimits.BACKOFF_INITIAL)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("Wait before the first retry.")
        @Nullable
        String initial,

        @Default("2")
        @Min(1)
        @Max(10)
        @JsonPropertyDescription("Each wait is this many times the one before. 1: always the same.")
        @Nullable
        Integer factor,

        @Default(JobLimits.BACKOFF_MAX)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("The longest wait.")
        @Nullable
        String max) {}
