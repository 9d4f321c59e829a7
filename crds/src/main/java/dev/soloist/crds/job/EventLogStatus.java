package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The event log as the operator last saw it. The log itself is read over the sidecar's API.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventLogStatus(
        @JsonPropertyDescription("The point behind the newest event, from which the API reads on.") @Nullable
        String position,

        @JsonPropertyDescription("How many events are kept.") @Nullable
        Long kept,

        @JsonPropertyDescription("The newest events, newest first.") @Size(max = 5) @Nullable
        List<NotedEvent> recent,

        @JsonPropertyDescription("Why there is no log on this store; absent where there is one.") @Nullable
        String unavailable) {}
