package dev.soloist.crds.job;

import static java.util.Objects.requireNonNull;

import dev.soloist.crds.InvalidSpec;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A valid job with its defaults, in types that can be worked with. Immutable.
///
/// @param matchLabels labels that a pod must carry, at least one
/// @param events how many events are kept of ended runs and dead letters
/// @param lockPolicy name of a LockPolicy in the job's namespace; null for the built-in defaults
public record EffectiveJob(
        Map<String, String> matchLabels,
        @Nullable String lockPolicy,
        Request request,
        boolean suspended,
        Work work,
        Events events) {

    /// The default of `spec.singleton.schedule.timeZone`. Not in the schema, for a zone beside `every` is refused.
    public static final String DEFAULT_TIME_ZONE = "Etc/UTC";

    public EffectiveJob {
        matchLabels = Map.copyOf(matchLabels);
    }

    /// The request that starts a run or hands over a task.
    public record Request(int port, String path, Duration timeout) {}

    /// Waits between attempts: initial, then `factor` times the one before, up to `max`.
    public record Waits(Duration initial, int factor, Duration max) {}

    /// What the pods share.
    public sealed interface Work permits Scheduled, Queued, Broadcasting {}

    /// How many events are kept.
    ///
    /// @param asked whether the user wrote a number; if not, a store that cannot keep events is nobody's mistake
    public record Events(int maxLength, boolean asked) {}

    /// A singleton.
    ///
    /// @param cooldown the least time from the end of a run to the start of the next; zero for none
    public record Scheduled(Timing timing, MisfirePolicy misfire, Duration cooldown, int retryLimit, Waits waits)
            implements Work {}

    /// Delayed tasks.
    ///
    /// @param stream what a stream keeps; null if a list carries the tasks
    /// @param deduplication null if keys are not looked at
    /// @param rate null if there is no limit
    public record Queued(
            Duration visibilityTimeout,
            int maxAttempts,
            Waits waits,
            int concurrency,
            OnDuplicate onDuplicate,
            @Nullable Keeping stream,
            Delivery delivery,
            @Nullable Window deduplication,
            Bounds bounds,
            @Nullable Rate rate,
            int shards)
            implements Work {}

    /// Messages to every pod.
    public record Broadcasting() implements Work {}

    /// What a stream keeps of handled tasks.
    public record Keeping(Duration retention, int maxLength) {}

    /// How long a key counts, and what ends that early.
    public record Window(Duration length, boolean localCache, ReleaseOn releaseOn) {}

    /// How much a queue takes and keeps.
    ///
    /// @param maxPayload in bytes
    /// @param maxDepth in tasks
    public record Bounds(int maxPayload, int maxDepth, Duration deadMaxAge, int deadMaxLength) {}

    /// At most `max` beginnings within any span of the length `per`.
    public record Rate(int max, Duration per) {}

    /// When a singleton is due.
    public sealed interface Timing permits Every, Cron {}

    /// Again and again after the same time.
    public record Every(Duration period) implements Timing {}

    /// At the times of a cron expression of five fields, read in a zone.
    public record Cron(String expression, ZoneId zone) implements Timing {}

    /// The job as it is to be worked with.
    ///
    /// @throws InvalidSpec if [JobRules] finds something
    public static EffectiveJob of(DistributedJob job) throws InvalidSpec {
        var violations = JobRules.check(job);
        if (!violations.isEmpty()) {
            throw new InvalidSpec(violations);
        }
        return EffectiveJobReader.read(JobDefaults.fill(requireNonNull(job.getSpec())));
    }
}
