package dev.soloist.sidecar.lease;

import dev.soloist.coordination.capability.Danger;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.lease.Acquisition;
import dev.soloist.coordination.lease.LeaseHolder;
import dev.soloist.coordination.lease.LeaseList;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeasePoint;
import dev.soloist.coordination.lease.LeaseRelease;
import dev.soloist.coordination.lease.LeaseRenewal;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.lease.Revocation;
import dev.soloist.coordination.link.RedisUnavailable.Kind;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.SingletonLease;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.store.UntilAnswered;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The leases of this pod's app. A call whose answer was lost is sent again unchanged for a while, which each of them may
 * be; one that stays without an answer may have been done. A holder is the pod: its sidecar and the containers of its app
 * may start anew meanwhile. Thread-safe, keeps nothing.
 */
public final class AppLeases {

    private static final Duration KEEP_TRYING = Duration.ofSeconds(3);
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(50), 2, Duration.ofMillis(200));

    private final Store store;
    private final Leases leases;
    private final LeaseHolder holder;

    /** The leases of a pod's namespace as this pod may have them. */
    public AppLeases(Store store, Pod pod) {
        this.store = store;
        this.leases = store.data().leases(pod.namespace());
        this.holder = new LeaseHolder(pod.uid(), pod.name());
    }

    /** Why no lease may be given: the store could lose it and let a second holder in. */
    public Optional<Danger> danger() {
        return store.data().gate().danger();
    }

    /** Asks for a lease. */
    public Acquisition acquire(LeaseName name, Nonce nonce, Duration ttl) throws InterruptedException {
        return answered(() -> leases.acquire(name, holder, nonce, ttl));
    }

    /** Moves the end of a lease of this pod. */
    public LeaseRenewal renew(LeaseName name, Fence fence) throws InterruptedException {
        return answered(() -> leases.renew(name, holder, fence));
    }

    /** Gives a lease of this pod back. */
    public LeaseRelease release(LeaseName name, Fence fence) throws InterruptedException {
        return answered(() -> leases.release(name, holder, fence));
    }

    /** Sees to it that a lease of another pod is not renewed. */
    public Revocation revoke(LeaseName name, Fence fence) throws InterruptedException {
        return answered(() -> leases.revoke(name, fence));
    }

    /**
     * Living leases of the namespace from a point on.
     *
     * @param wanted 1 to {@link Leases#MOST_LISTED}
     */
    public LeaseList list(LeasePoint after, int wanted) {
        return leases.list(after, wanted);
    }

    /**
     * How long a holder may act on a lease, counted from before it sent its request: less than the store will keep it, so
     * that it stops before anybody else can begin.
     */
    public static Duration usable(Duration remaining) {
        return remaining.minus(SingletonLease.margin(remaining));
    }

    private <T> T answered(Supplier<T> call) throws InterruptedException {
        long end = System.nanoTime() + KEEP_TRYING.toNanos();
        boolean sent = store.link().isConnected();
        return UntilAnswered.call(call, BETWEEN_TRIES, unanswered -> {
            boolean mayHelp = unanswered.kind() == Kind.TIMEOUT || unanswered.kind() == Kind.DISCONNECTED;
            return sent && mayHelp && System.nanoTime() - end <= 0;
        });
    }
}
