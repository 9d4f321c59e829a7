package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/// Work on a schedule, in one pod at a time.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Singleton(
        @Required @JsonPropertyDescription("When the work is due.") @Nullable
        Schedule schedule,

        @Default("{}") @JsonPropertyDescription("What happens to due moments at which no run could start.") @Nullable
        Misfire misfire,

        @Default("{}") @JsonPropertyDescription("What happens after a failed run.") @Nullable
        Retry retry) {}
