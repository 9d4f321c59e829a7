package dev.soloist.operator.leader;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes part in the election by the Lease `soloist-operator`. Thread-safe.
public final class Leadership {

    public static final String LEASE = "soloist-operator";

    private static final int CONFLICT = 409;
    private static final int RELEASES = 5;
    private static final Logger LOGGER = LoggerFactory.getLogger(Leadership.class);

    private final String namespace;
    private final String identity;
    private final Pace pace;
    private final Consumer<Boolean> onChange;
    private final Runnable halt;
    private volatile boolean leading;
    private volatile boolean stopping;

    /// @param onChange told true when this replica begins to lead and false when it stops
    /// @param halt ends the process at once: the framework goes on reconciling after a lost lease,
    ///   which must not
    ///     be
    public Leadership(String namespace, String identity, Pace pace, Consumer<Boolean> onChange, Runnable halt) {
        this.namespace = namespace;
        this.identity = identity;
        this.pace = pace;
        this.onChange = onChange;
        this.halt = halt;
    }

    public boolean isLeading() {
        return leading;
    }

    public LeaderElectionConfiguration configuration() {
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(LEASE)
                .withLeaseNamespace(namespace)
                .withIdentity(identity)
                .withLeaseDuration(pace.lease())
                .withRenewDeadline(pace.renewal())
                .withRetryPeriod(pace.retry())
                .withExitOnStopLeading(false)
                .withLeaderCallbacks(new LeaderCallbacks(this::begin, this::end, this::observe))
                .build();
    }

    /// To be called before the operator is stopped on purpose.
    public void stopping() {
        stopping = true;
    }

    /// Gives the Lease back, so that another replica need not wait for its end. The framework does not. Who changes the
    /// Lease at that moment, as a renewal does that is still under way, only makes it be looked at again.
    public void release(KubernetesClient client) {
        for (int left = RELEASES; left > 0; left--) {
            try {
                client.leases().inNamespace(namespace).withName(LEASE).edit(lease -> {
                    if (identity.equals(lease.getSpec().getHolderIdentity())) {
                        lease.getSpec().setHolderIdentity("");
                    }
                    return lease;
                });
                return;
            } catch (KubernetesClientException | NullPointerException failed) {
                var conflict = failed instanceof KubernetesClientException refused && refused.getCode() == CONFLICT;
                if (!conflict || left == 1) {
                    LOGGER.atInfo().log("the Lease was not given back and ends by itself: {}", failed.getMessage());
                    return;
                }
            }
        }
    }

    private void begin() {
        leading = true;
        LOGGER.atInfo().addKeyValue("identity", identity).log("this replica leads");
        onChange.accept(true);
    }

    private void end() {
        var led = leading;
        leading = false;
        onChange.accept(false);
        if (led && !stopping) {
            LOGGER.atError().log("the Lease is lost: this process ends, and begins anew as a follower");
            halt.run();
        }
    }

    private void observe(String leader) {
        if (!Objects.equals(leader, identity)) {
            LOGGER.atInfo().addKeyValue("leader", leader).log("another replica leads");
        }
    }
}
