package dev.soloist.operator.job;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.TriggerNow;
import dev.soloist.crds.Annotations;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.events.Note;
import java.util.Map;

/// Answers the annotation `soloist.dev/run-now`: each new value once, with a run or with the reason why not. The
/// store knows a value again, so a crash before the status is written makes no second run.
final class RunNow implements Step {

    private final Store store;

    RunNow(Store store) {
        this.store = store;
    }

    @Override
    public Next run(Pass pass) {
        var annotations = pass.job.getMetadata().getAnnotations();
        var wish = (annotations == null ? Map.<String, String>of() : annotations).get(Annotations.RUN_NOW);
        if (wish == null || wish.isBlank() || wish.equals(pass.runNow)) {
            return Next.GO_ON;
        }
        pass.notes.add(answer(pass, wish));
        pass.runNow = wish;
        return Next.GO_ON;
    }

    private Note answer(Pass pass, String wish) {
        switch (pass.definition().work()) {
            case DelayedWork _ -> {
                return Note.warning("RunNowRefused", "a delayed job has no runs of its own: enqueue a task instead");
            }
            case BroadcastWork _ -> {
                return Note.warning("RunNowRefused", "a broadcast job has no runs: send a message instead");
            }
            case SingletonWork _ -> {}
        }
        return switch (store.singletons(pass.definition()).triggerNow(pass.id, false, pass.uid() + "/" + wish)) {
            case TriggerNow.Triggered(var _) -> Note.normal("RunNow", "due now, as asked by " + wish);
            case TriggerNow.AfterRun() -> Note.normal("RunNow", "due after the run in progress, as asked by " + wish);
            case TriggerNow.Refused(var reason, var until) ->
                Note.warning(
                        "RunNowRefused",
                        switch (reason) {
                            case PAUSED -> "the job is suspended";
                            case DELETED -> "the job is being deleted";
                            case NOT_BEFORE -> "the lock policy or the cooldown lets no run begin before " + until;
                            case ABSENT -> "the job is not seeded yet: ask again";
                        });
        };
    }
}
