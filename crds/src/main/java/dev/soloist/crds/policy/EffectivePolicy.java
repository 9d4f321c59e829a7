package dev.soloist.crds.policy;

import static java.util.Objects.requireNonNull;

import dev.soloist.crds.GoDuration;
import dev.soloist.crds.InvalidSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A valid policy with its defaults, in types that can be worked with. Immutable.
///
/// @param heartbeatEvery time from one renewal to the next; without meaning when `heartbeat` is false
/// @param holdFor how long the lease is held after a run; null unless `release` is HOLD_FOR
/// @param recoveryObjective null if none is asked for
/// @param safety STRICT or LENIENT
/// @param backend STRING or HASH
/// @param acknowledgement of replicas that a lease or a task needs; null if it counts when the primary has it
public record EffectivePolicy(
        Duration ttl,
        boolean heartbeat,
        Duration heartbeatEvery,
        ReleasePolicy release,
        @Nullable Duration holdFor,
        Duration watchdogEvery,
        Duration watchdogGrace,
        Duration maxRunTime,
        @Nullable Duration recoveryObjective,
        @Nullable Acknowledgement acknowledgement,
        Safety safety,
        Backend backend) {

    /// What replicas must have said.
    ///
    /// @param replicas how many of them, 1 to 5
    /// @param timeout how long to wait for them
    public record Acknowledgement(int replicas, Duration timeout) {}

    /// What a job without `spec.lockPolicy` gets.
    public static final EffectivePolicy BUILT_IN =
            read(PolicyDefaults.fill(new LockPolicySpec(null, null, null, null, null, null, null, null, null)));

    /// The policy as it is to be worked with.
    ///
    /// @throws InvalidSpec if [PolicyRules] finds something
    public static EffectivePolicy of(LockPolicy policy) throws InvalidSpec {
        var violations = PolicyRules.check(policy);
        if (!violations.isEmpty()) {
            throw new InvalidSpec(violations);
        }
        return read(PolicyDefaults.fill(requireNonNull(policy.getSpec())));
    }

    /// The longest time without a holder after a crash, when nobody sees the pod end.
    public Duration worstCaseRecovery() {
        return ttl.plus(watchdogEvery).plus(watchdogGrace);
    }

    private static EffectivePolicy read(LockPolicySpec spec) {
        var heartbeat = requireNonNull(spec.heartbeat());
        var release = requireNonNull(spec.release());
        var watchdog = requireNonNull(spec.watchdog());
        return new EffectivePolicy(
                duration(spec.ttl()),
                requireNonNull(heartbeat.enabled()),
                duration(heartbeat.every()),
                requireNonNull(release.policy()),
                orNull(release.holdFor()),
                duration(watchdog.every()),
                duration(watchdog.grace()),
                duration(spec.maxRunTime()),
                orNull(spec.recoveryObjective()),
                acknowledgement(requireNonNull(spec.durability())),
                requireNonNull(spec.safety()),
                requireNonNull(spec.backend()));
    }

    private static @Nullable Acknowledgement acknowledgement(Durability durability) {
        if (!durability.isReplicated()) {
            return null;
        }
        var replicas = durability.replicas();
        var timeout = durability.timeout();
        return new Acknowledgement(
                replicas == null ? PolicyLimits.ACK_REPLICAS : replicas,
                duration(timeout == null ? PolicyLimits.ACK_TIMEOUT : timeout));
    }

    private static Duration duration(@Nullable String text) {
        return GoDuration.parse(requireNonNull(text));
    }

    private static @Nullable Duration orNull(@Nullable String text) {
        return text == null ? null : GoDuration.parse(text);
    }
}
