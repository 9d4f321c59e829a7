package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/// The pods that `spec.selector` names, counted.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodCounts(
        @JsonPropertyDescription("Pods that take part: with a sidecar, and ready.")
        int eligible,

        @JsonPropertyDescription("Pods with a sidecar.") int injected,

        @JsonPropertyDescription("Pods without a sidecar: they take no part.")
        int missingSidecars,

        @JsonPropertyDescription("Pods that take part / pods that match, for the column PODS.") @Nullable
        String summary) {

    /// Counts with their summary.
    public static PodCounts of(int eligible, int injected, int missingSidecars) {
        return new PodCounts(eligible, injected, missingSidecars, eligible + "/" + (injected + missingSidecars));
    }
}
