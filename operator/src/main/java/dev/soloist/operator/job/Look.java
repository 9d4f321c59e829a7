package dev.soloist.operator.job;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.singleton.Watch;
import dev.soloist.coordination.singleton.WatchVerdict;
import dev.soloist.crds.Annotations;
import dev.soloist.crds.Reasons;
import dev.soloist.operator.core.JobWatchdog;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.events.Note;
import dev.soloist.operator.metrics.OperatorMetrics;

/// The operator's turn of the watchdog.
final class Look implements Step {

    /// Told as an event by the change of the condition, once, and not at every look.
    private static final String CORRUPT =
            "somebody else wrote the job's keys in Redis: its lock fits no run, or its record is none. Nothing was taken"
                    + " away, and nothing runs. Find out who it was; a lock is then removed by a new value of the annotation "
                    + Annotations.FORCE_UNLOCK;

    private final Store store;
    private final JobWatchdog watchdog;
    private final OperatorMetrics metrics;

    Look(Store store, JobWatchdog watchdog, OperatorMetrics metrics) {
        this.store = store;
        this.watchdog = watchdog;
        this.metrics = metrics;
    }

    @Override
    public Next run(Pass pass) {
        if (pass.definition().work() instanceof DelayedWork) {
            pass.layout = store.arrange(pass.definition());
        }
        watchdog.look(pass.definition(), pass.layout).ifPresent(watch -> {
            metrics.saw(watch.verdict());
            tell(pass, watch);
        });
        return Next.GO_ON;
    }

    private static void tell(Pass pass, Watch watch) {
        if (watch instanceof Watch.Abandoned(var _, var pod, var fence, var _)) {
            pass.notes.add(Note.warning(
                    "RunAbandoned", "pod " + pod + " fell silent; its run with fence " + fence + " was ended"));
        } else if (watch.verdict() == WatchVerdict.LOST_TOKEN) {
            pass.notes.add(Note.warning("TokenRestored", "the job's token was missing or wrong and was put back"));
        } else if (watch.verdict() == WatchVerdict.CORRUPT) {
            pass.problem = Problem.untilEdited(Reasons.LOCK_CORRUPT, CORRUPT);
        }
    }
}
