package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// Tasks that become due at a moment, each handled by one of the pods, at least once.
@ValidationRule(value = JobCel.VISIBILITY, message = JobSentences.VISIBILITY, fieldPath = ".visibilityTimeout")
@ValidationRule(value = JobCel.VISIBILITY_MIN, message = JobSentences.VISIBILITY_MIN, fieldPath = ".visibilityTimeout")
@ValidationRule(value = DelayedCel.TRANSPORT, message = DelayedSentences.TRANSPORT, fieldPath = ".transport")
@ValidationRule(value = DelayedCel.STREAM_IF_STREAM, message = DelayedSentences.STREAM_IF_STREAM)
@ValidationRule(value = DelayedCel.ONCE_IS_ONE_ATTEMPT, message = DelayedSentences.ONCE_IS_ONE_ATTEMPT)
@ValidationRule(value = DelayedCel.ONCE_IN_A_LIST, message = DelayedSentences.ONCE_IN_A_LIST)
@ValidationRule(value = DelayedCel.RATE_IN_A_LIST, message = DelayedSentences.RATE_IN_A_LIST)
@ValidationRule(value = DelayedCel.RATE_IN_ONE_SHARD, message = DelayedSentences.RATE_IN_ONE_SHARD)
@ValidationRule(value = DelayedCel.STREAM_IN_ONE_SHARD, message = DelayedSentences.STREAM_IN_ONE_SHARD)
@ValidationRule(value = DelayedCel.KEYS_IN_ONE_SHARD, message = DelayedSentences.KEYS_IN_ONE_SHARD)
@ValidationRule(value = DelayedCel.PAYLOAD, message = DelayedSentences.PAYLOAD, fieldPath = ".maxPayload")
@ValidationRule(value = DelayedCel.PAYLOAD_MAX, message = DelayedSentences.PAYLOAD_MAX, fieldPath = ".maxPayload")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Delayed(
        // Not as an enum, whose refusal names the values but not the reason: a rule says both.
        @SchemaFrom(type = String.class)
        @Default("List")
        @JsonPropertyDescription(
                "What carries due tasks to the pods. List: one shared Redis list. Stream: a stream with a consumer group, which can be replayed.")
        @Nullable
        Transport transport,

        @JsonPropertyDescription("What a stream keeps of handled tasks. With transport Stream, and only with it.")
        @Nullable
        StreamKeeping stream,

        @Default("AtLeastOnce")
        @JsonPropertyDescription(
                "AtLeastOnce: a task is handed out again until it is handled. AtMostOnce: it is removed when it is handed"
                        + " out, and lost if its pod dies; needs maxAttempts 1.")
        @Nullable
        Delivery delivery,

        @Default(JobLimits.VISIBILITY_TIMEOUT)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "A task in a pod's hands returns to the others when the pod has not renewed it for this long. At least 1s.")
        @Nullable
        String visibilityTimeout,

        @Default("10")
        @Min(1)
        @Max(1000)
        @JsonPropertyDescription("How often a task is tried before it becomes a dead letter.")
        @Nullable
        Integer maxAttempts,

        @Default("{}") @JsonPropertyDescription("How long a failed task waits before it is tried again.") @Nullable
        Backoff backoff,

        @Default("10")
        @Min(1)
        @Max(1000)
        @JsonPropertyDescription("How many tasks one pod handles at the same time.")
        @Nullable
        Integer concurrency,

        @Default("KeepEarliest")
        @JsonPropertyDescription(
                "What happens to an enqueued task whose id is already waiting. Reject: the new one is refused."
                        + " KeepEarliest: the earlier due time stays. KeepLatest: the newer due time counts. Replace: the new one takes its place.")
        @Nullable
        OnDuplicate onDuplicate,

        @JsonPropertyDescription(
                "Takes work of one key, the dedupKey or else the id, once within a window. Absent: there are no keys.")
        @Nullable
        Deduplication deduplication,

        @Default(JobLimits.MAX_PAYLOAD)
        @Size(max = 10)
        @JsonPropertyDescription("Larger payloads are refused. Bytes, Ki or Mi; at most 1Mi.")
        @Nullable
        String maxPayload,

        @Default("1000000")
        @Min(1)
        @Max(100000000)
        @JsonPropertyDescription("More waiting tasks than this are refused.")
        @Nullable
        Integer maxDepth,

        @Default("{}") @JsonPropertyDescription("How long tasks are kept that no attempt could handle.") @Nullable
        DeadLetter deadLetter,

        @JsonPropertyDescription(
                "How many tasks all pods together may begin within a span. What is over the limit waits. Absent: no limit.")
        @Nullable
        RateLimit rateLimit,

        @Default("1")
        @Min(1)
        @Max(64)
        @JsonPropertyDescription("Over how many parts the queue is spread, so that a Redis Cluster can share its load.")
        @Nullable
        Integer shards) {}
