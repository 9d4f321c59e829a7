package dev.soloist.operator.job;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Work;
import dev.soloist.crds.GoDuration;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.EffectiveJob;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The status that follows from a pass. Pure. What the pass could not find out stays as it was.
final class JobStatusOf {

    private JobStatusOf() {}

    static DistributedJobStatus pass(Pass pass, Instant now) {
        var before = Objects.requireNonNullElseGet(pass.job.getStatus(), DistributedJobStatus::new);
        var status = new DistributedJobStatus();
        status.setObservedGeneration(pass.generation());
        status.setConditions(JobConditions.of(pass, now));
        status.setTerm(pass.memory.term());
        status.setSeeded(pass.memory.seeded());
        status.setRunNow(pass.runNow);
        status.setForceUnlock(pass.forceUnlock);
        status.setStore(pass.storeStatus == null ? before.getStore() : pass.storeStatus);
        status.setPods(pass.counts == null ? before.getPods() : pass.counts);
        status.setType(pass.effective == null ? before.getType() : type(pass.effective.work()));
        status.setSchedule(pass.effective == null ? before.getSchedule() : schedule(pass.effective.work()));
        status.setDelayed(pass.tasks == null ? before.getDelayed() : pass.tasks);
        status.setWorstCaseRecovery(
                pass.definition == null ? before.getWorstCaseRecovery() : recovery(pass.definition.work()));
        status.setEventLog(EventStatus.of(pass, before.getEventLog()));
        RunStatus.fill(status, before, pass);
        return status;
    }

    /// That of a singleton is its policy's.
    private static @Nullable String recovery(Work work) {
        var longest = work instanceof DelayedWork delayed ? delayed.worstCaseRecovery() : null;
        return longest == null ? null : GoDuration.format(longest);
    }

    private static String type(EffectiveJob.Work work) {
        return switch (work) {
            case EffectiveJob.Scheduled _ -> "Singleton";
            case EffectiveJob.Queued _ -> "Delayed";
            case EffectiveJob.Broadcasting _ -> "Broadcast";
        };
    }

    private static String schedule(EffectiveJob.Work work) {
        return switch (work) {
            case EffectiveJob.Scheduled(EffectiveJob.Every(var period), var _, var _, var _, var _) ->
                "every " + GoDuration.format(period);
            case EffectiveJob.Scheduled(EffectiveJob.Cron(var expression, var zone), var _, var _, var _, var _) ->
                expression + " " + zone.getId();
            case EffectiveJob.Queued _ -> "when due";
            case EffectiveJob.Broadcasting _ -> "when sent";
        };
    }
}
