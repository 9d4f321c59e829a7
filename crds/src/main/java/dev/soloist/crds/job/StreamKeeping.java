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

/// What a stream keeps of the tasks that were handled, so that they can be handed out once more.
@ValidationRule(value = DelayedCel.RETENTION, message = DelayedSentences.RETENTION, fieldPath = ".retention")
@ValidationRule(
        value = DelayedCel.RETENTION_BOUNDS,
        message = DelayedSentences.RETENTION_BOUNDS,
        fieldPath = ".retention")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StreamKeeping(
        @Default(JobLimits.STREAM_RETENTION)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("A handled task can be replayed for this long. 1m to 720h.")
        @Nullable
        String retention,

        @Default("100000")
        @Min(1000)
        @Max(10000000)
        @JsonPropertyDescription(
                "Of more handled tasks than this the oldest are trimmed. What is not handled is never trimmed.")
        @Nullable
        Integer maxLength) {}
