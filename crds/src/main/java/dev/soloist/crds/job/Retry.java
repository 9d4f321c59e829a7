package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/// What happens after a failed run of a singleton.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Retry(
        @Default("3")
        @Min(0)
        @Max(100)
        @JsonPropertyDescription("How often a failed run is tried again before the next due moment is waited for.")
        @Nullable
        Integer limit,

        @Default("{}") @JsonPropertyDescription("How long to wait before each retry.") @Nullable
        Backoff backoff) {}
