package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A run of a singleton, as far as it is known. `end` and `result` are absent while it goes on.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LastRun(
        @JsonPropertyDescription("Id of the run, as in the header Soloist-Run.") @Nullable
        String id,

        @JsonPropertyDescription("Name of the pod it ran in.") @Nullable
        String pod,

        @JsonPropertyDescription("When it began.") @Nullable Instant start,

        @JsonPropertyDescription("When it ended; absent while it goes on.") @Nullable
        Instant end,

        @JsonPropertyDescription("Succeeded, Failed, Cancelled or Abandoned; absent while the run goes on.") @Nullable
        String result,

        @JsonPropertyDescription("Why it did not succeed, where that is known.") @Nullable
        String message) {}
