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
/// @param lockPolicy name of a LockPolicy in the job's namespace; null for the built-in defaults
public record EffectiveJob(
        Map<String, String> matchLabels, @Nullable String lockPolicy, Request request, boolean suspended, Work work) {

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
    public sealed interface Work permits Scheduled, Queued {}

    /// A singleton.
    public record Scheduled(Timing timing, MisfirePolicy misfire, int retryLimit, Waits waits) implements Work {}

    /// Delayed tasks.
    public record Queued(
            Duration visibilityTimeout, int maxAttempts, Waits waits, int concurrency, OnDuplicate onDuplicate)
            implements Work {}

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
