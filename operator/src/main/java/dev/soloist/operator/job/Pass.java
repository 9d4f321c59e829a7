package dev.soloist.operator.job;

import dev.soloist.coordination.capability.Danger;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.PodCounts;
import dev.soloist.crds.job.StoreStatus;
import dev.soloist.crds.job.TaskCounts;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.events.Note;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Everything that one pass over one job finds out. Filled by the steps in order; used by one thread.
final class Pass {

    private static final Duration DEFAULT_CADENCE = Duration.ofSeconds(5);

    /// Whether the store answered in this pass.
    enum StoreState {
        NOT_ASKED,
        UP,
        DOWN
    }

    final DistributedJob job;
    final JobId id;
    final List<PodFacts> pods;
    final Optional<LockPolicy> policy;
    final List<Note> notes = new ArrayList<>();

    Memory memory;

    @Nullable
    String runNow;

    @Nullable
    String forceUnlock;

    @Nullable
    StoreStatus storeStatus;

    @Nullable
    Danger danger;

    @Nullable
    EffectiveJob effective;

    @Nullable
    JobDefinition definition;

    @Nullable
    Problem problem;

    /// How the tasks of a delayed job are spread, read once for all steps.
    Layout layout = Layout.SINGLE;

    @Nullable
    PodCounts counts;

    @Nullable
    SingletonSnapshot snapshot;

    @Nullable
    TaskCounts tasks;

    @Nullable
    JobEvents events;

    boolean logIsOff;
    StoreState store = StoreState.NOT_ASKED;
    String storeMessage = "";
    Duration again = DEFAULT_CADENCE;

    /// @param pods of the namespace that have a sidecar
    /// @param policy the one that the job names, if it is there
    Pass(DistributedJob job, List<PodFacts> pods, Optional<LockPolicy> policy) {
        this.job = job;
        this.id = new JobId(job.getMetadata().getNamespace(), job.getMetadata().getName());
        this.pods = List.copyOf(pods);
        this.policy = policy;
        var status = job.getStatus();
        this.memory = memoryOf(job);
        this.runNow = status == null ? null : status.getRunNow();
        this.forceUnlock = status == null ? null : status.getForceUnlock();
    }

    /// What an object remembers of its state in Redis.
    static Memory memoryOf(DistributedJob job) {
        var status = job.getStatus();
        return status == null || status.getTerm() == null
                ? Memory.NONE
                : new Memory(status.getTerm(), status.getSeeded());
    }

    String uid() {
        return job.getMetadata().getUid();
    }

    long generation() {
        return Objects.requireNonNullElse(job.getMetadata().getGeneration(), 1L);
    }

    boolean hasLogInStatus() {
        return job.getStatus() != null && job.getStatus().getEventLog() != null;
    }

    EffectiveJob effective() {
        return Objects.requireNonNull(effective, "CheckSpec runs first");
    }

    JobDefinition definition() {
        return Objects.requireNonNull(definition, "Define runs first");
    }

    Step.Next stop(Problem why) {
        problem = why;
        return Step.Next.STOP;
    }

    Step.Next stop(Problem why, Duration retryAfter) {
        again = retryAfter;
        return stop(why);
    }
}
