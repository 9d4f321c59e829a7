package dev.soloist.crds.job;

import dev.soloist.crds.Findings;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules of a DistributedJob in Java, with the same result as those of the API server: for local mode, which
/// has no API server, and for objects that were stored before a rule existed. Pure.
public final class JobRules {

    private static final String SCHEDULE = "spec.singleton.schedule";
    private static final Pattern LOCK_POLICY = Pattern.compile(JobCel.LOCK_POLICY_SHAPE);
    private static final Pattern PATH = Pattern.compile(JobCel.PATH_SHAPE);
    private static final Pattern LABEL_KEY = Pattern.compile(JobCel.LABEL_KEY_SHAPE);
    private static final Pattern LABEL_VALUE = Pattern.compile(JobCel.LABEL_VALUE_SHAPE);

    private JobRules() {}

    /// The broken rules; empty for a valid job. Whether a cron expression has a next time is not asked here.
    public static List<Violation> check(DistributedJob job) {
        var found = new Findings();
        var name = job.getMetadata() == null ? null : job.getMetadata().getName();
        found.rule("", name == null || name.length() <= 63, JobSentences.NAME);
        var spec = job.getSpec();
        if (found.required("spec", spec) && spec != null) {
            spec(found, JobDefaults.fill(spec));
        }
        return found.all();
    }

    /// The reason of a condition that reports these violations: InvalidSchedule if all are about the schedule, else
    /// InvalidSpec.
    public static String reason(List<Violation> violations) {
        return violations.stream().allMatch(violation -> violation.field().startsWith(SCHEDULE))
                ? Reasons.INVALID_SCHEDULE
                : Reasons.INVALID_SPEC;
    }

    private static void spec(Findings found, DistributedJobSpec spec) {
        if (found.required("spec.selector", spec.selector()) && spec.selector() != null) {
            selector(found, spec.selector().matchLabels());
        }
        if (found.required("spec.trigger", spec.trigger()) && spec.trigger() != null) {
            trigger(found, spec.trigger());
        }
        var policy = spec.lockPolicy();
        found.longest("spec.lockPolicy", policy, 253);
        found.rule(
                "spec.lockPolicy", policy == null || LOCK_POLICY.matcher(policy).matches(), JobSentences.LOCK_POLICY);
        found.rule("spec", kindsOfWork(spec) == 1, JobSentences.ONE_KIND_OF_WORK);
        var broadcast = spec.broadcast() != null;
        found.rule("spec", !broadcast || policy == null, JobSentences.NO_LEASE_IN_BROADCAST);
        found.rule("spec", !broadcast || spec.eventLog() == null, JobSentences.NO_LOG_OF_BROADCAST);
        if (spec.eventLog() != null) {
            found.between("spec.eventLog.maxLength", spec.eventLog().maxLength(), 0, 1_000_000);
        }
        if (spec.singleton() != null) {
            singleton(found, spec.singleton());
        }
        if (spec.delayed() != null) {
            delayed(found, spec.delayed());
        }
    }

    private static long kindsOfWork(DistributedJobSpec spec) {
        return Stream.of(spec.singleton(), spec.delayed(), spec.broadcast())
                .filter(Objects::nonNull)
                .count();
    }

    private static void selector(Findings found, @Nullable Map<String, String> labels) {
        var field = "spec.selector.matchLabels";
        if (!found.required(field, labels) || labels == null) {
            return;
        }
        found.most(field, labels.size(), JobLimits.MAX_LABELS);
        labels.forEach((key, value) -> found.longest(field + "." + key, value, 63));
        found.rule(field, !labels.isEmpty(), JobSentences.SOME_LABEL);
        found.rule(field, labels.entrySet().stream().allMatch(JobRules::isLabel), JobSentences.LABEL_SYNTAX);
    }

    /// A manifest may hold a key without a value, whatever the type of the map says.
    private static boolean isLabel(Map.Entry<String, @Nullable String> label) {
        var value = label.getValue();
        return value != null
                && LABEL_KEY.matcher(label.getKey()).matches()
                && LABEL_VALUE.matcher(value).matches();
    }

    private static void trigger(Findings found, Trigger trigger) {
        found.required("spec.trigger.port", trigger.port());
        found.between("spec.trigger.port", trigger.port(), 1, 65535);
        found.required("spec.trigger.path", trigger.path());
        found.longest("spec.trigger.path", trigger.path(), 1024);
        var path = trigger.path();
        found.rule("spec.trigger.path", path == null || PATH.matcher(path).matches(), JobSentences.PATH);
        found.duration("spec.trigger.timeout", trigger.timeout(), JobSentences.TIMEOUT);
        found.supported("spec.trigger.mode", trigger.mode() == TriggerMode.UNKNOWN, Set.of("Sync"));
    }

    private static void singleton(Findings found, Singleton singleton) {
        if (found.required(SCHEDULE, singleton.schedule()) && singleton.schedule() != null) {
            ScheduleRules.check(found, SCHEDULE, singleton.schedule());
        }
        var cooldown = found.duration("spec.singleton.cooldown", singleton.cooldown(), JobSentences.COOLDOWN);
        found.rule(
                "spec.singleton.cooldown",
                cooldown == null || cooldown.compareTo(Duration.ofDays(1)) <= 0,
                JobSentences.COOLDOWN_MAX);
        var misfire = singleton.misfire();
        found.supported(
                "spec.singleton.misfire.policy",
                misfire != null && misfire.policy() == MisfirePolicy.UNKNOWN,
                Set.of("RunOnce", "Skip"));
        var retry = singleton.retry();
        if (retry != null) {
            found.between("spec.singleton.retry.limit", retry.limit(), 0, 100);
            backoff(found, "spec.singleton.retry.backoff", retry.backoff());
        }
    }

    private static void delayed(Findings found, Delayed delayed) {
        DelayedRules.check(found, delayed);
        backoff(found, "spec.delayed.backoff", delayed.backoff());
    }

    private static void backoff(Findings found, String field, @Nullable Backoff backoff) {
        if (backoff == null) {
            return;
        }
        found.between(field + ".factor", backoff.factor(), 1, 10);
        var initial = found.duration(field + ".initial", backoff.initial(), JobSentences.BACKOFF_INITIAL);
        var max = found.duration(field + ".max", backoff.max(), JobSentences.BACKOFF_MAX);
        found.rule(
                field,
                initial == null || max == null || initial.compareTo(max) <= 0,
                JobSentences.backoffOrder(backoff.initial(), backoff.max()));
    }
}
