package dev.soloist.operator.job;

import dev.soloist.crds.ConditionTypes;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.LastRun;
import dev.soloist.crds.job.Verdicts;
import dev.soloist.operator.conditions.Conditions;
import dev.soloist.operator.events.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What users are told when a status changes: transitions, not states, so a job that runs every second is silent
/// while all is well. Pure.
final class Transitions {

    private Transitions() {}

    static List<Note> between(@Nullable DistributedJobStatus before, DistributedJobStatus after) {
        var old = before == null ? new DistributedJobStatus() : before;
        var notes = new ArrayList<Note>();
        readiness(old, after, notes);
        suspension(old, after, notes);
        results(old, after, notes);
        verdicts(old, after, notes);
        return notes;
    }

    private static void readiness(DistributedJobStatus old, DistributedJobStatus after, List<Note> notes) {
        var was = Conditions.find(old.getConditions(), ConditionTypes.READY);
        var is = Conditions.find(after.getConditions(), ConditionTypes.READY).orElseThrow();
        if (was.isPresent()
                && was.get().getStatus().equals(is.getStatus())
                && was.get().getReason().equals(is.getReason())) {
            return;
        }
        notes.add(
                is.getStatus().equals("True")
                        ? Note.normal("Ready", is.getMessage())
                        : Note.warning(is.getReason(), is.getMessage()));
    }

    private static void suspension(DistributedJobStatus old, DistributedJobStatus after, List<Note> notes) {
        var was = isSuspended(old);
        if (was != isSuspended(after)) {
            notes.add(
                    was
                            ? Note.normal("Resumed", "next run: " + after.getNextRun())
                            : Note.normal("Suspended", "nothing new is started"));
        }
    }

    private static boolean isSuspended(DistributedJobStatus status) {
        return Conditions.find(status.getConditions(), ConditionTypes.SUSPENDED)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    private static void results(DistributedJobStatus old, DistributedJobStatus after, List<Note> notes) {
        var failedBefore = Objects.requireNonNullElse(old.getConsecutiveFailures(), 0) > 0;
        var failsNow = Objects.requireNonNullElse(after.getConsecutiveFailures(), 0) > 0;
        if (failsNow && !failedBefore) {
            notes.add(Note.warning("RunFailed", describe(after.getLastRun())));
        } else if (after.getLastSuccess() != null && ((failedBefore && !failsNow) || old.getLastSuccess() == null)) {
            notes.add(Note.normal("RunSucceeded", describe(after.getLastRun())));
        }
    }

    private static void verdicts(DistributedJobStatus old, DistributedJobStatus after, List<Note> notes) {
        var verdict = after.getLastVerdict();
        if (verdict == null || verdict.equals(Verdicts.RAN) || verdict.equals(old.getLastVerdict())) {
            return;
        }
        notes.add(Note.warning(verdict, sentence(verdict)));
    }

    private static String sentence(String verdict) {
        return switch (verdict) {
            case Verdicts.SKIPPED_SUSPENDED -> "a due moment passed while the job was suspended";
            case Verdicts.NO_READY_POD -> "the job is due and no pod with a sidecar is ready to take it";
            case Verdicts.NO_INJECTED_POD -> "the job is due and no matching pod has a sidecar";
            case Verdicts.STORE_DOWN -> "the store does not answer: pods start nothing without it";
            case Verdicts.REPLICA_ACK_MISSING ->
                "the job is due and too few of the store's replicas acknowledge a lease: no run begins until they do";
            case Verdicts.LEASE_LOST -> "the last run was cut, for its lease was lost or its pod had ended";
            default -> "the last due moment: " + verdict;
        };
    }

    private static String describe(@Nullable LastRun run) {
        return run == null
                ? "a run ended"
                : "run " + run.id() + " in pod " + run.pod()
                        + (run.result() == null ? " goes on" : ": " + run.result());
    }
}
