package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/// What happens to due moments at which no run could start.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Misfire(
        @Default("RunOnce")
        @JsonPropertyDescription(
                "A due moment is missed when the next one has come before a run for it could start: no pod was ready, or the store"
                        + " was away. RunOnce: one run stands for all that were missed. Skip: they are passed over.")
        @Nullable
        MisfirePolicy policy) {}
