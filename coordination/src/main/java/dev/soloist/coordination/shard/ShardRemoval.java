package dev.soloist.coordination.shard;

import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Removes a shard that is not needed any more. Who judged so may have been asleep since: by now there may be more shards
 * again, and tasks in this one. The layout lies in another slot, so the step that removes looks at the shard itself. Whoever
 * registers afterwards finds it new; who was taken for gone is unknown, which is as if fenced. Thread-safe.
 */
public final class ShardRemoval {

    private static final LuaScript REMOVE = LuaScript.load(ShardRemoval.class, "remove.lua", LuaScript.ANY, 0);

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final JobId job;

    /**
     * Of one shard.
     *
     * @param keys of the shard
     */
    public ShardRemoval(ScriptRunner scripts, RedisKeys keys, JobId job) {
        this.scripts = scripts;
        this.keys = keys;
        this.job = job;
    }

    /** Whether nothing is kept of it any more; else it holds tasks, or the memory of ended ones, or somebody takes part. */
    public boolean removeUnlessInUse() {
        var segments = new Instances(scripts, keys, job).segments();
        return scripts.run(REMOVE, all(keys, job, segments)).status().equals("REMOVED");
    }

    /**
     * All keys of a shard but for the layout.
     *
     * @param segments that its instances look after
     */
    public static List<String> all(RedisKeys keys, JobId job, Collection<String> segments) {
        var all = new ArrayList<>(List.of(
                keys.tasks(job),
                keys.done(job),
                keys.instanceLeases(job),
                keys.instanceMembers(job),
                keys.attempts(job),
                keys.sharedSegment(job),
                keys.readyList(job, 0),
                keys.readyList(job, 1),
                keys.readyList(job, 2),
                keys.inFlight(job),
                keys.doneExpiry(job),
                keys.dead(job),
                keys.queueLog(job),
                keys.deduplication(job),
                keys.deduplicationExpiry(job),
                keys.starts(job),
                keys.reservations(job),
                keys.taskStream(job),
                keys.streamEntries(job),
                keys.streamMark(job)));
        segments.forEach(segment -> all.add(keys.segment(job, segment)));
        return List.copyOf(all);
    }
}
