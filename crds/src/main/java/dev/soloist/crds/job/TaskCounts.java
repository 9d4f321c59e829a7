package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks of a delayed job, counted.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskCounts(
        @JsonPropertyDescription("Tasks that are not due yet.")
        long pending,

        @JsonPropertyDescription("Tasks that are due and in no pod's hands.")
        long ready,

        @JsonPropertyDescription("Tasks in a pod's hands.") long inFlight,

        @JsonPropertyDescription("Tasks that were given up.")
        long dead,

        @JsonPropertyDescription("How long the oldest due task has been waiting, in seconds.")
        long oldestOverdueSeconds,

        @JsonPropertyDescription(
                "Other numbers of shards, by which some tasks still lie where they were put or are remembered. Gone when"
                        + " none does. Until then a replay is refused, and a rate limit and deduplication keys do not hold for those tasks.")
        @Nullable
        List<Integer> formerShards) {}
