package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// What a user asks for. Any component may be null in an object that no API server of this version has checked;
/// [PolicyRules] says what is wrong and [PolicyDefaults] fills in the rest.
@ValidationRule(value = PolicyCel.TTL, message = PolicySentences.TTL, fieldPath = ".ttl")
@ValidationRule(value = PolicyCel.TTL_BOUNDS, message = PolicySentences.TTL_BOUNDS, fieldPath = ".ttl")
@ValidationRule(value = PolicyCel.MAX_RUN_TIME, message = PolicySentences.MAX_RUN_TIME, fieldPath = ".maxRunTime")
@ValidationRule(value = PolicyCel.OBJECTIVE, message = PolicySentences.OBJECTIVE, fieldPath = ".recoveryObjective")
@ValidationRule(
        value = PolicyCel.HEARTBEAT_THIRD,
        message = PolicySentences.HEARTBEAT_THIRD,
        messageExpression = PolicyCel.HEARTBEAT_THIRD_MESSAGE)
@ValidationRule(
        value = PolicyCel.TTL_COVERS_RUN,
        message = PolicySentences.TTL_COVERS_RUN,
        messageExpression = PolicyCel.TTL_COVERS_RUN_MESSAGE)
@ValidationRule(
        value = PolicyCel.WATCHDOG_COVERS_RUN,
        message = PolicySentences.WATCHDOG_COVERS_RUN,
        messageExpression = PolicyCel.WATCHDOG_COVERS_RUN_MESSAGE)
@ValidationRule(
        value = PolicyCel.OBJECTIVE_MET,
        message = PolicySentences.OBJECTIVE_MET,
        messageExpression = PolicyCel.OBJECTIVE_MET_MESSAGE)
@ValidationRule(
        value = PolicyCel.ACK_BEFORE_HEARTBEAT,
        message = PolicySentences.ACK_BEFORE_HEARTBEAT,
        messageExpression = PolicyCel.ACK_BEFORE_HEARTBEAT_MESSAGE)
@ValidationRule(
        value = PolicyCel.ACK_WITHIN_TTL,
        message = PolicySentences.ACK_WITHIN_TTL,
        messageExpression = PolicyCel.ACK_WITHIN_TTL_MESSAGE)
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LockPolicySpec(
        @Default("String")
        @JsonPropertyDescription(
                "How a lease is kept in Redis. String: one key per lease. Hash: all leases of the namespace in one hash, which can be listed.")
        @Nullable
        Backend backend,

        @Default(PolicyLimits.TTL)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("A lease that nobody renews ends after this long. 5s to 10m.")
        @Nullable
        String ttl,

        @Default("{}") @JsonPropertyDescription("How the holder renews its lease.") @Nullable
        Heartbeat heartbeat,

        @Default("{}") @JsonPropertyDescription("When a finished run gives its lease back.") @Nullable
        Release release,

        @Default("{}")
        @JsonPropertyDescription("How the other pods look after a lease whose holder may be gone.")
        @Nullable
        Watchdog watchdog,

        @Default(PolicyLimits.MAX_RUN_TIME)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("A run is cancelled when it takes longer than this.")
        @Nullable
        String maxRunTime,

        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription(
                "The longest time without a holder that is acceptable after a crash. A policy that cannot keep it is refused.")
        @Nullable
        String recoveryObjective,

        @Default("{}")
        @JsonPropertyDescription("How many servers must have a lease or an accepted task before it counts.")
        @Nullable
        Durability durability,

        @Default("Strict")
        @JsonPropertyDescription(
                "Strict: on a store that may evict keys no run starts. Lenient: runs start, and a condition warns.")
        @Nullable
        Safety safety) {}
