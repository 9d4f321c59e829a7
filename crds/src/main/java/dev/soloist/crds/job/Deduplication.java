package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// Keys of tasks that count as the same for a while.
@ValidationRule(value = DelayedCel.WINDOW, message = DelayedSentences.WINDOW, fieldPath = ".window")
@ValidationRule(value = DelayedCel.WINDOW_BOUNDS, message = DelayedSentences.WINDOW_BOUNDS, fieldPath = ".window")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Deduplication(
        @Default(JobLimits.DEDUPLICATION_WINDOW)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "For this long after a task was accepted no other is taken with its key, and none while it lives. Cancelling it"
                        + " frees the key. 1s to 720h.")
        @Nullable
        String window,

        @Default("true")
        @JsonPropertyDescription(
                "Whether a pod remembers keys itself, which only saves round trips: Redis has the answer.")
        @Nullable
        Boolean localCache,

        @Default("Terminal")
        @JsonPropertyDescription(
                "What becomes of the key of a task that died. Terminal: it is free at once. Success: the dead letter keeps it"
                        + " until it was requeued and handled, or removed.")
        @Nullable
        ReleaseOn releaseOn) {}
