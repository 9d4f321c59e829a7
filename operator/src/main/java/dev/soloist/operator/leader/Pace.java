package dev.soloist.operator.leader;

import java.time.Duration;

/// How long the Lease of the leader lasts, for how long the leader tries to renew it before it gives up, and how often
/// it renews. The framework wants them in falling order.
public record Pace(Duration lease, Duration renewal, Duration retry) {

    /// What replicas in a cluster use: a leader that died is followed after 15 s.
    public static final Pace USUAL = new Pace(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
}
