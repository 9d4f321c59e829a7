package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Wishes now this, now that, and tells Redis its wishes at every reconcile, as the real one must. */
final class SimulatedOperator implements Runnable {

    private static final class Wish {
        private int uid = 1;
        private long term = 1;
        private int revision = 1;
        private boolean suspended;
        private boolean deleting;
        private boolean seeded;

        String uidText() {
            return "uid-" + uid;
        }

        SpecRevision spec() {
            return new SpecRevision(String.valueOf(revision), "schedule " + revision % 2);
        }
    }

    private final List<JobId> jobs;
    private final SingletonStore store;
    private final Supplier<Instant> redisNow;
    private final Runnable forgetScripts;
    private final Faults faults;
    private final RunLedger ledger;
    private final Map<JobId, Wish> wishes = new HashMap<>();

    SimulatedOperator(
            List<JobId> jobs,
            SingletonStore store,
            Supplier<Instant> redisNow,
            Runnable forgetScripts,
            Faults faults,
            RunLedger ledger) {
        this.jobs = jobs;
        this.store = store;
        this.redisNow = redisNow;
        this.forgetScripts = forgetScripts;
        this.faults = faults;
        this.ledger = ledger;
    }

    @Override
    public void run() {
        while (!faults.waitFor(Duration.ofMillis(5))) {
            JobId job = jobs.get(faults.pick(jobs.size()));
            Wish wish = wishes.computeIfAbsent(job, id -> new Wish());
            try {
                change(job, wish);
                reconcile(job, wish);
            } catch (Faults.NoAnswer e) {
                // The next reconcile tells it again.
            }
        }
    }

    private void change(JobId job, Wish wish) {
        if (!faults.strikes(30)) {
            // In calm times jobs run; a change of mind is over.
            wish.suspended &= faults.strikes(80);
            return;
        }
        switch (faults.pick(8)) {
            case 0, 1 -> {
                boolean force = faults.happens(50);
                String request = "request-" + faults.pick(1000);
                faults.call(() -> store.triggerNow(job, force, request));
            }
            case 2, 3 -> wish.revision++;
            case 4 -> wish.suspended = !wish.suspended;
            case 5 -> wish.deleting = true;
            case 6 -> wish.term++;
            default -> forgetScripts.run();
        }
    }

    private void reconcile(JobId job, Wish wish) {
        // A call that arrives late carries the wish of when it was sent, so nothing mutable is read in it.
        String uid = wish.uidText();
        long term = wish.term;
        boolean seeded = wish.seeded;
        boolean suspended = wish.suspended;
        SpecRevision spec = wish.spec();
        Instant soon = redisNow.get().plus(faults.upTo(Duration.ofMillis(60)));
        if (wish.deleting) {
            switch (faults.call(() -> store.delete(job, uid))) {
                case Deletion.Deleted _, Deletion.Absent _, Deletion.OtherUid _ -> {
                    wish.deleting = false;
                    wish.seeded = false;
                    wish.uid++;
                }
                case Deletion.AfterRun _ -> {}
            }
            return;
        }
        switch (faults.call(() -> store.seed(job, uid, term, "mark", soon, seeded, spec))) {
            case Seeding.Seeded(var _, long reached) -> seeded(wish, reached);
            case Seeding.Present(var _, var _, String whose) when whose.equals(uid) -> seeded(wish, term);
            case Seeding.Present(var _, var _, String whose) -> {
                faults.call(() -> store.delete(job, whose));
                return;
            }
            case Seeding.Waiting _ -> {
                return;
            }
            case Seeding.Gone _ -> {
                ledger.complain(uid + " is gone but was not deleted");
                return;
            }
            case Seeding.DataLoss _ -> {
                ledger.complain("no data was lost, yet a record is missing");
                return;
            }
        }
        long raised = wish.term;
        faults.call(() -> {
            store.raiseTerm(job, raised);
            return true;
        });
        faults.call(() -> store.updateSpec(job, spec, soon));
        faults.call(() -> suspended ? store.suspend(job) : store.resume(job, soon));
    }

    private static void seeded(Wish wish, long term) {
        wish.seeded = true;
        wish.term = Math.max(wish.term, term);
    }
}
