package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/// A capped record of how runs and tasks ended.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventLog(
        @Default("1000")
        @Min(0)
        @Max(1000000)
        @JsonPropertyDescription("How many events are kept: how runs ended and which tasks died. 0: none.")
        @Nullable
        Integer maxLength) {}
