package dev.soloist.operator.job;

import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.RunSummary;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.LastRun;
import dev.soloist.crds.job.Verdicts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The part of a singleton's status that tells of its runs. Pure.
final class RunStatus {

    /// A slot that nobody has taken for this long has been missed by the pods, not just not been reached yet.
    private static final Duration OVERDUE = Duration.ofSeconds(5);

    /// More than the longest `durability.timeout`.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(8);

    private RunStatus() {}

    static void fill(DistributedJobStatus status, DistributedJobStatus before, Pass pass) {
        var snapshot = pass.snapshot;
        if (snapshot == null) {
            status.setLastRun(before.getLastRun());
            status.setRecentRuns(before.getRecentRuns());
            status.setLastSuccess(before.getLastSuccess());
            status.setNextRun(before.getNextRun());
            status.setConsecutiveFailures(before.getConsecutiveFailures());
            status.setHolder(before.getHolder());
            status.setLastVerdict(
                    pass.store == Pass.StoreState.DOWN && isScheduled(before)
                            ? Verdicts.STORE_DOWN
                            : before.getLastVerdict());
            return;
        }
        status.setLastRun(lastRun(pass, snapshot));
        status.setRecentRuns(
                snapshot.history().stream().map(run -> ended(pass, run)).toList());
        status.setLastSuccess(seconds(snapshot.lastSuccess()));
        status.setNextRun(nextRun(pass, snapshot));
        status.setConsecutiveFailures(snapshot.fails());
        status.setHolder(snapshot.current() == null ? null : snapshot.current().pod());
        status.setLastVerdict(verdict(pass, snapshot, before.getLastVerdict()));
    }

    private static boolean isScheduled(DistributedJobStatus status) {
        return status.getNextRun() != null;
    }

    private static @Nullable LastRun lastRun(Pass pass, SingletonSnapshot snapshot) {
        var run = snapshot.current();
        if (run != null) {
            var id = id(pass, snapshot.generation(), run.fence());
            return new LastRun(id, run.pod(), seconds(run.startedAt()), null, null, null);
        }
        var last = snapshot.last();
        if (last == null) {
            return null;
        }
        var id = id(pass, last.generation(), last.fence());
        // The record tells how the last run ended, the history also why.
        return snapshot.history().stream()
                .filter(ended -> ended.fence().equals(last.fence()))
                .findFirst()
                .map(ended -> ended(pass, ended))
                .orElseGet(() -> new LastRun(
                        id, last.pod(), seconds(last.start()), seconds(last.end()), word(last.result()), null));
    }

    private static LastRun ended(Pass pass, RunSummary run) {
        return new LastRun(
                id(pass, run.generation(), run.fence()),
                run.pod(),
                seconds(run.start()),
                seconds(run.end()),
                word(run.result()),
                run.message().isBlank() ? null : run.message());
    }

    /// As in the header `Soloist-Run`.
    static String id(Pass pass, long generation, Fence fence) {
        return pass.id.name() + "/" + generation + "/" + fence;
    }

    static String word(RunResult result) {
        return switch (result) {
            case SUCCEEDED -> "Succeeded";
            case FAILED, TIMED_OUT, LATE -> "Failed";
            case ABORTED, INTERRUPTED -> "Cancelled";
            case ABANDONED -> "Abandoned";
            case SKIPPED -> "Skipped";
        };
    }

    /// While a run goes on, its sidecar will set the next slot at its end; until then the schedule tells.
    private static @Nullable String nextRun(Pass pass, SingletonSnapshot snapshot) {
        var next = snapshot.nextRun();
        if (next == null
                && snapshot.state() == SingletonState.RUNNING
                && !pass.definition().suspended()) {
            next = scheduled(pass, snapshot);
        }
        var shown = seconds(next);
        return shown == null ? null : shown.toString();
    }

    private static @Nullable Instant scheduled(Pass pass, SingletonSnapshot snapshot) {
        var now = snapshot.redisNow();
        var slot = snapshot.slot() == null ? now : snapshot.slot();
        return pass.definition().work() instanceof SingletonWork(var schedule, var _, var _, var _)
                ? schedule.next(slot, now)
                : null;
    }

    /// Whether pods claim the slot and give it back, since replicas are missing. A run that goes on for longer than any
    /// wait for them has been acknowledged.
    private static boolean isUnacknowledged(SingletonSnapshot snapshot) {
        var run = snapshot.current();
        return snapshot.unacknowledged() != null
                && (run == null || run.startedAt().plus(LONGEST_WAIT).isAfter(snapshot.redisNow()));
    }

    private static @Nullable String verdict(Pass pass, SingletonSnapshot snapshot, @Nullable String before) {
        var due = snapshot.due();
        var missed = due != null && due.plus(OVERDUE).isBefore(snapshot.redisNow());
        if (missed && snapshot.state() == SingletonState.PAUSED) {
            return Verdicts.SKIPPED_SUSPENDED;
        }
        var waits = snapshot.state() == SingletonState.READY || snapshot.state() == SingletonState.DELAYED;
        if (missed && waits && pass.counts != null && pass.counts.eligible() == 0) {
            return pass.counts.injected() == 0 ? Verdicts.NO_INJECTED_POD : Verdicts.NO_READY_POD;
        }
        if (isUnacknowledged(snapshot) && snapshot.state() != SingletonState.PAUSED) {
            return Verdicts.REPLICA_ACK_MISSING;
        }
        var last = snapshot.last();
        if (last == null) {
            return before;
        }
        return switch (last.result()) {
            case SUCCEEDED, FAILED, TIMED_OUT -> Verdicts.RAN;
            case ABORTED, ABANDONED, LATE -> Verdicts.LEASE_LOST;
            case SKIPPED -> Verdicts.MISSED_DEADLINE;
            case INTERRUPTED -> before;
        };
    }

    private static @Nullable Instant seconds(@Nullable Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.SECONDS);
    }
}
