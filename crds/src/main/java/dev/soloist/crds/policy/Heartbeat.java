package dev.soloist.crds.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// How the holder renews its lease.
@ValidationRule(value = PolicyCel.HEARTBEAT_EVERY, message = PolicySentences.HEARTBEAT_EVERY, fieldPath = ".every")
@ValidationRule(value = PolicyCel.HEARTBEAT_MIN, message = PolicySentences.HEARTBEAT_MIN, fieldPath = ".every")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Heartbeat(
        @Default("true")
        @JsonPropertyDescription("false: the lease is never renewed, so ttl must be longer than maxRunTime.")
        @Nullable
        Boolean enabled,

        @Default(PolicyLimits.HEARTBEAT_EVERY)
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("Time from one renewal to the next. At least 1s, at most a third of ttl.")
        @Nullable
        String every) {}
