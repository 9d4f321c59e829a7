package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One event of the log in short.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NotedEvent(
        @JsonPropertyDescription("Its id in the log.") @Nullable
        String id,

        @JsonPropertyDescription("When it was written.") @Nullable
        Instant at,

        @JsonPropertyDescription("RunEnded, LateResult or TaskDied.") @Nullable
        String type,

        @JsonPropertyDescription("The run, as in the header Soloist-Run, or the id of the task.") @Nullable
        String subject,

        @JsonPropertyDescription("How the run ended, or why the task died.") @Nullable
        String outcome) {}
