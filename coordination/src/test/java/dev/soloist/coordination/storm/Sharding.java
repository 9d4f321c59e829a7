package dev.soloist.coordination.storm;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Layouts;
import dev.soloist.coordination.shard.Placing;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.shard.ShardedQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The shards of the storm's queue, and the definition that says how many there are to be. Used by one thread. */
final class Sharding {

    static final int MOST = 6;

    /** How long a queue remembers what has ended when it soon forgets. */
    static final Duration MEMORY = Duration.ofMillis(60);

    private static final QueueLimits BRIEF =
            new QueueLimits(QueueLimits.DEFAULT.maxPayload(), 1_000_000, MEMORY, MEMORY, 10_000);

    private static final Duration SECOND = Duration.ofSeconds(1);

    final Layouts layouts;
    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final JobId job;
    private final boolean brief;
    private JobDefinition definition;
    private int changes;

    /**
     * The shards of a job.
     *
     * @param brief whether what has ended is soon forgotten, so that no shard is in the way of a drain for long
     */
    Sharding(ScriptRunner scripts, RedisKeys keys, JobId job, boolean brief) {
        this.scripts = scripts;
        this.keys = keys;
        this.job = job;
        this.brief = brief;
        this.layouts = new Layouts(scripts, keys);
        this.definition = definition(3, 1);
    }

    JobDefinition definition() {
        return definition;
    }

    void ask(int shards) {
        definition = definition(shards, definition.generation() + 1);
        changes++;
    }

    int changes() {
        return changes;
    }

    boolean isBrief() {
        return brief;
    }

    Shard shard(int number) {
        var ofShard = keys.ofShard(number);
        var limits = brief ? BRIEF : QueueLimits.DEFAULT;
        return new Shard(
                number,
                DelayedQueue.of(scripts, ofShard, job, limits),
                DelayedQueue.of(scripts, ofShard, job, limits.withDepth(0)),
                new Instances(scripts, ofShard, job));
    }

    Placing placing(Layout layout) {
        return new Placing(
                layout,
                IntStream.range(0, layout.active()).mapToObj(this::shard).toList());
    }

    Optional<TaskView> find(String id) {
        return ShardedQueue.of(layouts.arrange(definition), this::shard).inspect(TaskId.of(id));
    }

    Drain drain() {
        return new Drain(scripts, keys, job);
    }

    List<RedisKeys> all() {
        return IntStream.range(0, MOST).mapToObj(keys::ofShard).toList();
    }

    private JobDefinition definition(int shards, long generation) {
        var policy = new LeasePolicy(
                SECOND, true, SECOND, ReleasePolicy.ON_COMPLETION, Duration.ZERO, SECOND, SECOND, SECOND);
        var work = new DelayedWork(SECOND, 8, new Backoff(SECOND, 1, SECOND), 10, OnDuplicate.REJECT);
        return new JobDefinition(
                job, "uid", generation, 1, false, new Trigger(8080, "/mails", SECOND), policy, work.withShards(shards));
    }
}
