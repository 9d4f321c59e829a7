package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.soloist.crds.GoDuration;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/// When a singleton is due: `every`, or `cron` in a time zone.
@ValidationRule(value = ScheduleCel.EVERY_XOR_CRON, message = ScheduleSentences.EVERY_XOR_CRON)
@ValidationRule(value = ScheduleCel.EVERY, message = ScheduleSentences.EVERY, fieldPath = ".every")
@ValidationRule(value = ScheduleCel.EVERY_MIN, message = ScheduleSentences.EVERY_MIN, fieldPath = ".every")
@ValidationRule(value = ScheduleCel.ZONE_IN_CRON, message = ScheduleSentences.ZONE_IN_CRON, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.NICKNAME, message = ScheduleSentences.NICKNAME, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.FIVE_FIELDS, message = ScheduleSentences.FIVE_FIELDS, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.MINUTE, message = ScheduleSentences.MINUTE, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.HOUR, message = ScheduleSentences.HOUR, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.DAY_OF_MONTH, message = ScheduleSentences.DAY_OF_MONTH, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.MONTH, message = ScheduleSentences.MONTH, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.DAY_OF_WEEK, message = ScheduleSentences.DAY_OF_WEEK, fieldPath = ".cron")
@ValidationRule(value = ScheduleCel.RISING, message = ScheduleSentences.RISING, fieldPath = ".cron")
@ValidationRule(
        value = ScheduleCel.ZONE_WITHOUT_CRON,
        message = ScheduleSentences.ZONE_WITHOUT_CRON,
        fieldPath = ".timeZone")
@ValidationRule(value = ScheduleCel.ZONE, message = ScheduleSentences.ZONE, fieldPath = ".timeZone")
@ValidationRule(value = ScheduleCel.ZONE_KNOWN, message = ScheduleSentences.ZONE)
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Schedule(
        @Size(max = GoDuration.MAX_LENGTH)
        @JsonPropertyDescription("Time from one due moment to the next, such as 30s. At least 1s.")
        @Nullable
        String every,

        @Size(max = JobLimits.CRON_LENGTH)
        @JsonPropertyDescription(
                "Five cron fields with single spaces: minute, hour, day of month, month, day of week. Such as: 0 2 * * *")
        @Nullable
        String cron,

        @Size(max = JobLimits.ZONE_LENGTH)
        @JsonPropertyDescription(
                "Zone of the IANA database in which cron is read, such as Asia/Ho_Chi_Minh. Only with cron. Absent: Etc/UTC.")
        @Nullable
        String timeZone) {}
