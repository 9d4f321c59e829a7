package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * At most one granted lease per job at any moment of the server; a lease that is over is not renewed; only its holder, or a watchdog
 * after the lease and its grace, ends a run; what comes late changes nothing, a nonce wins once while it is among the latest that were spent,
 * and no run begins before it is due.
 */
final class LeaseRule implements Rule {

    /** Redis keeps whole milliseconds. */
    private static final long ROUNDING = 2;

    /** So many spent nonces of a job are certainly known to the server: of 25 characters each, in a text of 240. */
    private static final int SPENT = 9;

    private static final class Job {
        Event.@Nullable Granted run;
        long until;
        long due;
        long foreignLock;
        boolean delayed;
        /** Where no record stands, nothing is noted of a nonce. */
        boolean stands;

        final Set<String> spent = new LinkedHashSet<>();

        void spend(String nonce) {
            if (spent.add(nonce) && spent.size() > SPENT) {
                spent.remove(spent.iterator().next());
            }
        }
    }

    private final Violations violations;
    private final Map<String, Job> jobs = new HashMap<>();

    LeaseRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Granted granted -> granted(granted);
            case Event.Extended extended -> extended(extended);
            case Event.RunOver over -> over(over);
            case Event.NonceSpent spent -> {
                Job job = job(spent.job());
                if (job.stands) {
                    job.spend(spent.nonce());
                }
            }
            case Event.Planned planned -> planned(planned);
            case Event.LockedByHand locked -> job(locked.job()).foreignLock = locked.until();
            case Event.DataLost _ -> jobs.clear();
            default -> {}
        }
    }

    private void planned(Event.Planned planned) {
        Job job = job(planned.job());
        if (job.run != null) {
            violations.add(planned, "the state of a job was changed under its run");
        }
        job.stands = true;
        job.delayed = planned.state().equals("DELAYED");
        job.due = planned.due() < 0 ? job.due : planned.due();
    }

    private void granted(Event.Granted granted) {
        Job job = job(granted.job());
        if (job.run != null) {
            violations.add(
                    job.run,
                    granted,
                    millis(granted) <= job.until
                            ? "two leases at once"
                            : "a lease was given before the last was settled");
        }
        if (job.spent.contains(granted.nonce())) {
            violations.add(granted, "a spent nonce won");
        }
        if (judged(granted) > granted.notAfter() + ROUNDING) {
            violations.add(granted, "a claim won after its last moment");
        }
        if (job.delayed && millis(granted) < job.due) {
            violations.add(granted, "a run before it was due at " + job.due);
        }
        if (millis(granted) < job.foreignLock - ROUNDING) {
            violations.add(granted, "a lease beside a lock that stood until " + job.foreignLock);
        }
        job.run = granted;
        job.until = granted.until();
    }

    /**
     * The moment by which the script judged, in ms: its fence is not below it. What MONITOR tells is later when the server had
     * to wait for a processor in between.
     */
    private static long judged(Event.Granted granted) {
        return Math.min(millis(granted), granted.sequence() / 1000);
    }

    private void extended(Event.Extended extended) {
        Job job = job(extended.job());
        if (job.run == null || !job.run.nonce().equals(extended.nonce())) {
            // After lost data a lease may go on that this history has not seen begin.
            if (job.run != null) {
                violations.add(job.run, extended, "a lease was renewed by somebody else");
            }
            return;
        }
        if (extended.now() > job.until + ROUNDING) {
            violations.add(job.run, extended, "a lapsed lease was renewed");
        }
        job.until = extended.until();
    }

    private void over(Event.RunOver over) {
        Job job = job(over.job());
        job.delayed = over.state().equals("DELAYED");
        job.due = over.due();
        job.foreignLock = 0; // it goes with the run, whoever has set it
        if (job.run == null) {
            return;
        }
        boolean owner = over.nonce().isEmpty() || over.nonce().equals(job.run.nonce());
        boolean fence = over.fence().isEmpty() || over.fence().equals(job.run.fence());
        if (!owner || !fence) {
            violations.add(job.run, over, "a run was ended by somebody else's late word");
        }
        if (over.by().equals("watch") && millis(over) <= job.until + over.grace()) {
            violations.add(job.run, over, "a run was given up before lease and grace were over");
        }
        job.spend(job.run.nonce());
        job.run = null;
    }

    private Job job(String name) {
        return jobs.computeIfAbsent(name, _ -> new Job());
    }

    private static long millis(Event event) {
        return event.at() / 1000;
    }
}
