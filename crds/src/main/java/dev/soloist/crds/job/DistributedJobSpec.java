package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// What a user asks for. Any component may be null in an object that no API server of this version has checked;
/// [JobRules] says what is missing and [JobDefaults] fills in the rest.
@ValidationRule(value = JobCel.ONE_KIND_OF_WORK, message = JobSentences.ONE_KIND_OF_WORK)
@ValidationRule(value = JobCel.NO_LEASE_IN_BROADCAST, message = JobSentences.NO_LEASE_IN_BROADCAST)
@ValidationRule(value = JobCel.NO_LOG_OF_BROADCAST, message = JobSentences.NO_LOG_OF_BROADCAST)
@ValidationRule(value = JobCel.LOCK_POLICY, message = JobSentences.LOCK_POLICY, fieldPath = ".lockPolicy")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DistributedJobSpec(
        @Required
        @JsonPropertyDescription(
                "The pods that share the work. Only pods of this namespace with a Soloist sidecar take part.")
        @Nullable
        PodSelector selector,

        @Size(max = 253)
        @JsonPropertyDescription("Name of a LockPolicy in this namespace. Absent: the built-in defaults of LockPolicy.")
        @Nullable
        String lockPolicy,

        @Required
        @JsonPropertyDescription("The HTTP request by which the sidecar starts a run or hands over a task.")
        @Nullable
        Trigger trigger,

        @Default("false")
        @JsonPropertyDescription("true: nothing new is started. What is running is finished.")
        @Nullable
        Boolean suspend,

        @JsonPropertyDescription(
                "Work on a schedule, in one pod at a time. Set exactly one of singleton, delayed and broadcast.")
        @Nullable
        Singleton singleton,

        @JsonPropertyDescription(
                "Tasks that become due at a moment, each handled by one of the pods. Set exactly one of singleton, delayed and broadcast.")
        @Nullable
        Delayed delayed,

        @JsonPropertyDescription(
                "Messages to every pod that is there, each at most once: for news, never for work. Set exactly one of singleton, delayed and broadcast.")
        @Nullable
        Broadcast broadcast,

        @JsonPropertyDescription(
                "A capped record of ended runs and dead letters that can be read again. Absent: 1000 events where the store has streams.")
        @Nullable
        EventLog eventLog) {}
