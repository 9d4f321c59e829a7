package dev.soloist.operator.core;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Safety;
import dev.soloist.crds.policy.EffectivePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Turns a checked policy into what sidecars are told. Pure.
final class PolicyDefinition {

    private PolicyDefinition() {}

    static LeasePolicy of(EffectivePolicy policy) {
        var holdFor = policy.holdFor();
        return new LeasePolicy(
                policy.ttl(),
                policy.heartbeat(),
                policy.heartbeatEvery(),
                switch (policy.release()) {
                    case ON_COMPLETION -> ReleasePolicy.ON_COMPLETION;
                    case HOLD_UNTIL_NEXT_RUN -> ReleasePolicy.HOLD_UNTIL_NEXT_RUN;
                    case HOLD_FOR -> ReleasePolicy.HOLD_FOR;
                    case UNKNOWN -> throw Definitions.unchecked("release policy");
                },
                holdFor == null ? Duration.ZERO : holdFor,
                policy.watchdogEvery(),
                policy.watchdogGrace(),
                policy.maxRunTime(),
                durability(policy.acknowledgement()),
                switch (policy.safety()) {
                    case STRICT -> Safety.STRICT;
                    case LENIENT -> Safety.LENIENT;
                    case UNKNOWN -> throw Definitions.unchecked("safety");
                },
                switch (policy.backend()) {
                    case STRING -> Backend.STRING;
                    case HASH -> Backend.HASH;
                    case UNKNOWN -> throw Definitions.unchecked("back end");
                });
    }

    private static Durability durability(EffectivePolicy.@Nullable Acknowledgement wanted) {
        return wanted == null ? Durability.LOCAL : new Durability.Replicated(wanted.replicas(), wanted.timeout());
    }
}
