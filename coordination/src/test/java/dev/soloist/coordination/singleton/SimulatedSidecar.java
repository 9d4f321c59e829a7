package dev.soloist.coordination.singleton;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Claims, works, renews and finishes as a holder must, while its calls and its own process suffer faults. */
final class SimulatedSidecar implements Runnable {
    static final Duration TTL = Duration.ofMillis(400);
    /** As if for a far shorter lease: a margin of half the real one would hide what is to be found here. */
    private static final Duration MARGIN_OF = Duration.ofMillis(40);

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(250);

    private final String pod;
    private final List<JobId> jobs;
    private final SingletonStore store;
    private final Supplier<Instant> redisNow;
    private final Faults faults;
    private final RunLedger ledger;
    private final InstanceId instance;
    private final Map<JobId, Long> terms = new HashMap<>();

    SimulatedSidecar(
            String pod,
            List<JobId> jobs,
            SingletonStore store,
            Supplier<Instant> redisNow,
            Faults faults,
            RunLedger ledger) {
        this.pod = pod;
        this.jobs = jobs;
        this.store = store;
        this.redisNow = redisNow;
        this.faults = faults;
        this.ledger = ledger;
        this.instance = InstanceId.create(pod);
    }

    @Override
    public void run() {
        while (!faults.waitFor(faults.upTo(Duration.ofMillis(20)))) {
            claim(jobs.get(faults.pick(jobs.size())), Nonce.create());
        }
    }

    private void claim(JobId job, Nonce nonce) {
        Instant notAfter = redisNow.get().plus(COMMAND_TIMEOUT);
        for (int tries = 0; tries < 4; tries++) {
            var request = new ClaimRequest(terms.getOrDefault(job, 1L), instance, pod, nonce, TTL, notAfter);
            long sent = System.nanoTime();
            try {
                switch (faults.call(() -> store.claim(job, request))) {
                    case Claim.Claimed(Grant grant) -> {
                        work(job, nonce, grant, SingletonLease.of(grant.fence(), sent, grant.remaining(), MARGIN_OF));
                        return;
                    }
                    case Claim.StaleTerm(long current) -> terms.put(job, current);
                    case Claim.Lost _ -> {
                        release(job, nonce);
                        return;
                    }
                    case Claim.TermBehind behind -> {
                        ledger.complain("no data was lost, yet " + behind);
                        return;
                    }
                    case Claim.NotDue _, Claim.Busy _, Claim.TooLate _, Claim.Spent _ -> {
                        return;
                    }
                }
            } catch (Faults.NoAnswer e) {
                if (tries == 3 || faults.happens(20) || faults.waitFor(faults.upTo(COMMAND_TIMEOUT))) {
                    release(job, nonce);
                    return;
                }
            }
        }
    }

    private void work(JobId job, Nonce nonce, Grant grant, SingletonLease granted) {
        SingletonLease lease = granted;
        long from = System.nanoTime();
        long done = from + faults.upTo(TTL.plus(TTL.dividedBy(5))).toNanos();
        long renewAt = from + TTL.dividedBy(3).toNanos();
        RunResult result = faults.happens(80) ? RunResult.SUCCEEDED : RunResult.FAILED;
        while (System.nanoTime() - done < 0) {
            // A stop of the whole process that may be longer than the lease, or a slice of work.
            boolean ended =
                    faults.waitFor(faults.upTo(faults.strikes(5) ? TTL.multipliedBy(3) : Duration.ofMillis(15)));
            if (ended || !lease.isValidAt(System.nanoTime())) {
                result = RunResult.ABORTED;
                break;
            }
            if (System.nanoTime() - renewAt < 0) {
                continue;
            }
            renewAt = System.nanoTime() + TTL.dividedBy(3).toNanos();
            long sent = System.nanoTime();
            try {
                Renewal renewal = faults.call(() -> store.renew(job, instance, nonce, TTL));
                if (!(renewal instanceof Renewal.Renewed(Duration remaining, boolean cancel)) || cancel) {
                    result = RunResult.ABORTED;
                    break;
                }
                lease = lease.renewed(sent, remaining, MARGIN_OF);
            } catch (Faults.NoAnswer e) {
                // Not lost before the deadline; asked again at the next slice.
                renewAt = sent;
            }
        }
        long stopped = System.nanoTime();
        long until = lease.isValidAt(stopped) ? stopped : Math.max(from, lease.deadlineNanos());
        ledger.add(new RunLedger.Run(job, grant.fence(), grant.redisNow(), pod, from, until));
        finish(job, nonce, grant, result);
    }

    private void finish(JobId job, Nonce nonce, Grant grant, RunResult result) {
        if (faults.strikes(3)) {
            return; // killed before it could say so
        }
        if (faults.happens(5)) {
            release(job, nonce);
            return;
        }
        var request = new FinishRequest(
                result,
                "",
                redisNow.get().plus(faults.upTo(Duration.ofMillis(60))),
                result == RunResult.FAILED && grant.attempt() < 3,
                ReleasePolicy.values()[faults.pick(3)],
                Duration.ofMillis(50));
        for (int tries = 0; tries < 4; tries++) {
            try {
                Finishing end = faults.call(() -> store.finish(job, instance, nonce, grant.fence(), request));
                if (end instanceof Finishing.Finished && result == RunResult.SUCCEEDED) {
                    ledger.success(job);
                }
                return;
            } catch (Faults.NoAnswer e) {
                if (faults.ended()) {
                    return;
                }
            }
        }
    }

    private void release(JobId job, Nonce nonce) {
        try {
            faults.call(() -> store.release(job, instance, nonce));
        } catch (Faults.NoAnswer e) {
            // Then the lease, if there is one, ends by itself.
        }
    }
}
