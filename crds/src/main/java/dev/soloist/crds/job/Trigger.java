package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// The request `POST http://127.0.0.1:<port><path>`.
@ValidationRule(value = JobCel.PATH, message = JobSentences.PATH, fieldPath = ".path")
@ValidationRule(value = JobCel.TIMEOUT, message = JobSentences.TIMEOUT, fieldPath = ".timeout")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trigger(
        @Required @Min(1) @Max(65535) @JsonPropertyDescription("Port of the app on localhost.") @Nullable
        Integer port,

        @Required
        @Size(max = 1024)
        @JsonPropertyDescription("Path of the request, starting with a slash, without ? and #.")
        @Nullable
        String path,

        @Default(JobLimits.TRIGGER_TIMEOUT)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "How long the app may take to answer. Then the request is aborted and counts as failed.")
        @Nullable
        String timeout,

        @Default("Sync") @JsonPropertyDescription("Sync: the answer to the request is the result.") @Nullable
        TriggerMode mode) {}
