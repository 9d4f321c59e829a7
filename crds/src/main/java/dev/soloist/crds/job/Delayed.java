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

/// Tasks that become due at a moment, each handled by one of the pods, at least once.
@ValidationRule(value = JobCel.VISIBILITY, message = JobSentences.VISIBILITY, fieldPath = ".visibilityTimeout")
@ValidationRule(value = JobCel.VISIBILITY_MIN, message = JobSentences.VISIBILITY_MIN, fieldPath = ".visibilityTimeout")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Delayed(
        @Default("List")
        @JsonPropertyDescription("What carries due tasks to the pods. List: one shared Redis list.")
        @Nullable
        Transport transport,

        @Default(JobLimits.VISIBILITY_TIMEOUT)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "A task in a pod's hands returns to the others when the pod has not renewed it for this long. At least 1s.")
        @Nullable
        String visibilityTimeout,

        @Default("10")
        @Min(1)
        @Max(1000)
        @JsonPropertyDescription("How often a task is tried before it becomes a dead letter.")
        @Nullable
        Integer maxAttempts,

        @Default("{}") @JsonPropertyDescription("How long a failed task waits before it is tried again.") @Nullable
        Backoff backoff,

        @Default("10")
        @Min(1)
        @Max(1000)
        @JsonPropertyDescription("How many tasks one pod handles at the same time.")
        @Nullable
        Integer concurrency,

        @Default("KeepEarliest")
        @JsonPropertyDescription(
                "What happens to an enqueued task whose id is already waiting. Reject: the new one is refused."
                        + " KeepEarliest: the earlier due time stays. KeepLatest: the newer due time counts. Replace: the new one takes its place.")
        @Nullable
        OnDuplicate onDuplicate) {}
