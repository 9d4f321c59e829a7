package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Labels that a pod must carry, all of them.
@ValidationRule(value = JobCel.SOME_LABEL, message = JobSentences.SOME_LABEL, fieldPath = ".matchLabels")
@ValidationRule(value = JobCel.LABEL_SYNTAX, message = JobSentences.LABEL_SYNTAX, fieldPath = ".matchLabels")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodSelector(
        @Required
        @Size(max = JobLimits.MAX_LABELS)
        @JsonPropertyDescription("Labels that a pod must carry, all of them. At least one.")
        @Nullable
        Map<String, @Size(max = 63) String> matchLabels) {}
