package dev.soloist.operator.job;

import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.crds.job.TaskCounts;
import dev.soloist.operator.core.Store;

/// Reads what the status is to show.
final class Observe implements Step {

    /// As many as the status may hold.
    private static final int SHOWN_RUNS = 5;

    private static final int SHOWN_EVENTS = 5;

    private final Store store;

    Observe(Store store) {
        this.store = store;
    }

    @Override
    public Next run(Pass pass) {
        switch (pass.definition().work()) {
            case SingletonWork _ -> {
                pass.snapshot = store.singletons(pass.definition()).snapshot(pass.id, SHOWN_RUNS);
                observe(pass, store.runLog(pass.definition()));
            }
            case DelayedWork _ -> {
                pass.tasks = count(pass);
                observe(pass, store.taskLog(pass.id, pass.layout));
            }
            case BroadcastWork _ -> {}
        }
        return Next.GO_ON;
    }

    private void observe(Pass pass, JobLog log) {
        if (pass.definition().eventLogLength() > 0) {
            pass.events = log.newest(SHOWN_EVENTS);
            return;
        }
        if (pass.hasLogInStatus()) {
            // Before the status forgets it: a process that dies in between does it again.
            store.removeEvents(pass.id);
        }
        pass.logIsOff = true;
    }

    private TaskCounts count(Pass pass) {
        var counts = store.counts(pass.definition(), pass.layout);
        var former = pass.layout.former();
        return new TaskCounts(
                counts.pending(),
                counts.ready(),
                counts.inFlight(),
                counts.dead(),
                counts.oldestOverdue().toSeconds(),
                former.isEmpty() ? null : former);
    }
}
