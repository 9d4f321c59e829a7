package dev.soloist.crds.policy;

import static java.util.Objects.requireNonNull;

import dev.soloist.crds.Findings;
import dev.soloist.crds.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a LockPolicy in Java, with the same result as those of the API server: for local mode, which has no
/// API server, and for objects that were stored before a rule existed. Pure.
public final class PolicyRules {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MIN_TTL = Duration.ofSeconds(5);
    private static final Duration MAX_TTL = Duration.ofMinutes(10);
    private static final Duration MIN_ACK_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MAX_ACK_TIMEOUT = Duration.ofSeconds(5);

    private PolicyRules() {}

    /// The broken rules; empty for a valid policy.
    public static List<Violation> check(LockPolicy policy) {
        var found = new Findings();
        var name = policy.getMetadata() == null ? null : policy.getMetadata().getName();
        found.rule("", name == null || name.length() <= 63, PolicySentences.NAME);
        var spec = policy.getSpec();
        if (found.required("spec", spec) && spec != null) {
            spec(found, PolicyDefaults.fill(spec));
        }
        return found.all();
    }

    private static void spec(Findings found, LockPolicySpec spec) {
        found.supported("spec.backend", spec.backend() == Backend.UNKNOWN, Set.of("String", "Hash"));
        found.supported("spec.safety", spec.safety() == Safety.UNKNOWN, Set.of("Strict", "Lenient"));
        release(found, requireNonNull(spec.release()));
        var ttl = found.duration("spec.ttl", spec.ttl(), PolicySentences.TTL);
        found.rule(
                "spec.ttl",
                ttl == null || (ttl.compareTo(MIN_TTL) >= 0 && ttl.compareTo(MAX_TTL) <= 0),
                PolicySentences.TTL_BOUNDS);
        var heartbeat = requireNonNull(spec.heartbeat());
        var beat = found.duration("spec.heartbeat.every", heartbeat.every(), PolicySentences.HEARTBEAT_EVERY);
        found.rule("spec.heartbeat.every", beat == null || beat.compareTo(SECOND) >= 0, PolicySentences.HEARTBEAT_MIN);
        var watchdog = requireNonNull(spec.watchdog());
        var watch = found.duration("spec.watchdog.every", watchdog.every(), PolicySentences.WATCHDOG_EVERY);
        found.rule("spec.watchdog.every", watch == null || watch.compareTo(SECOND) >= 0, PolicySentences.WATCHDOG_MIN);
        var grace = found.duration("spec.watchdog.grace", watchdog.grace(), PolicySentences.GRACE);
        var run = found.duration("spec.maxRunTime", spec.maxRunTime(), PolicySentences.MAX_RUN_TIME);
        var objective = found.duration("spec.recoveryObjective", spec.recoveryObjective(), PolicySentences.OBJECTIVE);
        var wait = durability(found, requireNonNull(spec.durability()));
        found.rule(
                "spec",
                wait == null || ttl == null || wait.multipliedBy(6).compareTo(ttl) <= 0,
                PolicySentences.ackWithinTtl(spec));
        if (Boolean.TRUE.equals(heartbeat.enabled())) {
            found.rule(
                    "spec",
                    beat == null || ttl == null || beat.multipliedBy(3).compareTo(ttl) <= 0,
                    PolicySentences.heartbeatThird(spec));
            found.rule(
                    "spec",
                    wait == null || beat == null || wait.multipliedBy(2).compareTo(beat) <= 0,
                    PolicySentences.ackBeforeHeartbeat(spec));
        } else {
            withoutHeartbeat(found, spec, ttl, watch, grace, run);
        }
        found.rule(
                "spec",
                objective == null
                        || ttl == null
                        || watch == null
                        || grace == null
                        || ttl.plus(watch).plus(grace).compareTo(objective) <= 0,
                PolicySentences.objectiveMet(spec));
    }

    private static void release(Findings found, Release release) {
        found.supported(
                "spec.release.policy",
                release.policy() == ReleasePolicy.UNKNOWN,
                Set.of("OnCompletion", "HoldUntilNextRun", "HoldFor"));
        found.rule(
                "spec.release",
                (release.holdFor() != null) == (release.policy() == ReleasePolicy.HOLD_FOR),
                PolicySentences.HOLD_FOR_IF_HOLD_FOR);
        found.duration("spec.release.holdFor", release.holdFor(), PolicySentences.HOLD_FOR);
    }

    /// The wait for replicas if one is written down and can be read.
    private static @Nullable Duration durability(Findings found, Durability durability) {
        found.supported(
                "spec.durability.mode", durability.mode() == DurabilityMode.UNKNOWN, Set.of("Local", "Replicated"));
        found.between("spec.durability.replicas", durability.replicas(), 1, PolicyLimits.MOST_ACK_REPLICAS);
        found.rule(
                "spec.durability",
                durability.isReplicated() || (durability.replicas() == null && durability.timeout() == null),
                PolicySentences.REPLICAS_IF_REPLICATED);
        var wait = found.duration("spec.durability.timeout", durability.timeout(), PolicySentences.ACK_TIMEOUT);
        found.rule(
                "spec.durability.timeout",
                wait == null || (wait.compareTo(MIN_ACK_TIMEOUT) >= 0 && wait.compareTo(MAX_ACK_TIMEOUT) <= 0),
                PolicySentences.ACK_TIMEOUT_BOUNDS);
        return wait;
    }

    private static void withoutHeartbeat(
            Findings found,
            LockPolicySpec spec,
            @Nullable Duration ttl,
            @Nullable Duration watch,
            @Nullable Duration grace,
            @Nullable Duration run) {
        found.rule("spec", ttl == null || run == null || ttl.compareTo(run) > 0, PolicySentences.ttlCoversRun(spec));
        found.rule(
                "spec",
                watch == null || grace == null || run == null || watch.compareTo(run.plus(grace)) > 0,
                PolicySentences.watchdogCoversRun(spec));
    }
}
