package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisClock;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.SingletonLease;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.JobMeters;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the lease. A request whose answer was lost is sent again with its nonce until there is an answer, so that it wins at most
 * once; an exception is never a grant. Used by one thread at a time.
 */
final class Claimer {

    private final SingletonStore store;
    private final RedisClock clock;
    private final Pod pod;
    private final JobMeters meters;
    private String uid = "";
    private long term;
    private @Nullable ClaimRequest pending;
    private @Nullable Nonce unusable;

    Claimer(SingletonStore store, RedisClock clock, Pod pod, JobMeters meters) {
        this.store = store;
        this.clock = clock;
        this.pod = pod;
        this.meters = meters;
    }

    /** An answer, and the nonce and lease that belong to it when it is a grant that may be used. */
    record Answer(Claim claim, Nonce nonce, @Nullable SingletonLease lease) {}

    /**
     * Sends the pending request, or a new one.
     *
     * @throws RedisUnavailable if no answer came; call again, the same request is sent
     */
    Answer claim(JobDefinition job) {
        giveBackUnusable(job);
        var request = pending;
        if (request == null) {
            if (!job.uid().equals(uid)) {
                // A namesake made anew counts its terms anew.
                uid = job.uid();
                term = 0;
            }
            term = Math.max(term, job.term());
            var notAfter = clock.now().plus(RedisSettings.DEFAULT_COMMAND_TIMEOUT);
            request = new ClaimRequest(
                    term,
                    pod.instance(),
                    pod.name(),
                    Nonce.create(),
                    job.policy().ttl(),
                    notAfter);
            pending = request;
        }
        long sent = System.nanoTime();
        Acknowledged<Claim> claim;
        try {
            claim = store.claim(job.id(), request, job.policy().durability());
        } catch (RedisUnavailable unanswered) {
            meters.claim("error");
            throw unanswered;
        }
        pending = null;
        if (claim.answer() instanceof Claim.Claimed && !claim.enough()) {
            meters.claim("unacknowledged");
            unusable = request.nonce();
            giveBackUnusable(job);
            return new Answer(claim.answer(), request.nonce(), null);
        }
        return answered(claim.answer(), request, sent);
    }

    /**
     * A lease that too few replicas have: after a failover another pod could have it, too. If this is not answered either, it is
     * said again before anything else is asked for; if the process ends meanwhile, the lease ends by itself.
     */
    private void giveBackUnusable(JobDefinition job) {
        var nonce = unusable;
        if (nonce != null) {
            store.releaseUnacknowledged(job.id(), pod.instance(), nonce);
            unusable = null;
        }
    }

    private Answer answered(Claim claim, ClaimRequest request, long sent) {
        if (claim instanceof Claim.Claimed(var grant)) {
            meters.claim("claimed");
            return new Answer(
                    claim, request.nonce(), SingletonLease.of(grant.fence(), sent, grant.remaining(), request.ttl()));
        }
        meters.claim("refused");
        if (claim instanceof Claim.StaleTerm(long current)) {
            term = current;
            // The same wish under the new term, for an earlier sending of it may have won before the term rose.
            pending = new ClaimRequest(
                    current, request.instance(), request.pod(), request.nonce(), request.ttl(), request.notAfter());
        }
        return new Answer(claim, request.nonce(), null);
    }

    /** Makes sure that a request without an answer cannot win any more, and gives back what it may have won. */
    void giveUpPending(JobDefinition job) {
        giveBackUnusable(job);
        var request = pending;
        if (request != null) {
            store.release(job.id(), pod.instance(), request.nonce());
            pending = null;
        }
    }
}
