package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// Work on a schedule, in one pod at a time.
@ValidationRule(value = JobCel.COOLDOWN, message = JobSentences.COOLDOWN, fieldPath = ".cooldown")
@ValidationRule(value = JobCel.COOLDOWN_MAX, message = JobSentences.COOLDOWN_MAX, fieldPath = ".cooldown")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Singleton(
        @Required @JsonPropertyDescription("When the work is due.") @Nullable
        Schedule schedule,

        @Default("{}") @JsonPropertyDescription("What happens to due moments at which no run could start.") @Nullable
        Misfire misfire,

        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "No run begins sooner than this after the end of the one before, whatever asks for it. Absent: no such pause.")
        @Nullable
        String cooldown,

        @Default("{}") @JsonPropertyDescription("What happens after a failed run.") @Nullable
        Retry retry) {}
