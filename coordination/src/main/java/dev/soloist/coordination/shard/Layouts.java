package dev.soloist.coordination.shard;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.List;

/**
 * The layouts of all jobs, as Redis has them. A change of a count takes three steps: the new layout is written, not open;
 * every instance in every shard is fenced, so that nobody acts on the old one any more; the layout is opened. Whoever meets
 * a layout that is not open does the last two himself, so nothing depends on who began. An instance is registered by a layout
 * that was read before and is the same after; then either the change finds it to fence, or it finds the change.
 *
 * <p>All calls block, may be repeated, and throw {@code RedisUnavailable} when no answer came. Thread-safe.
 */
public final class Layouts {

    private static final LuaScript LAYOUT = LuaScript.load(Layouts.class, "layout.lua", 1, 2);

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    /** The layouts of an installation. */
    public Layouts(ScriptRunner scripts, RedisKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    /** The layout of a job's tasks, open or not. */
    public Layout read(JobId job) {
        return ask(job, "", "");
    }

    /**
     * The layout to act on, after it was made what the definition asks for. A definition that is older than the one that
     * made the layout changes nothing.
     */
    public Layout arrange(JobDefinition job) {
        while (true) {
            var now = read(job.id());
            if (now.phase() == Layout.Phase.CLOSED) {
                fenceAll(job.id(), now.span());
                swap(job.id(), now, now.opened());
            } else if (now.isOutdatedBy(job)) {
                int found = now.equals(Layout.SINGLE) ? found(job.id()) : 1;
                // A shard that does not answer must not leave the layout closed, so it is asked before.
                for (int shard = 0; shard < now.span(); shard++) {
                    instances(job.id(), shard).list();
                }
                swap(job.id(), now, now.changedFor(job, found));
            } else {
                return now;
            }
        }
    }

    /** Writes the layout if it still is as believed; the layout that counts now. */
    Layout swap(JobId job, Layout believed, Layout wanted) {
        return ask(job, wanted.text(), believed.text());
    }

    private Layout ask(JobId job, String wanted, String believed) {
        return Layout.parse(
                scripts.run(LAYOUT, List.of(keys.layout(job)), wanted, believed).text(1));
    }

    private void fenceAll(JobId job, int span) {
        for (int shard = 0; shard < span; shard++) {
            var instances = instances(job, shard);
            for (InstanceView view : instances.list()) {
                if (view.state() == InstanceView.State.ACTIVE) {
                    // They are not dead: they come back under another name, having read the layout anew.
                    instances.fence(view.id(), new Evidence.Terminated());
                }
            }
        }
    }

    /**
     * A layout that was lost with its server is to be guessed from what the other servers hold.
     *
     * @return how many shards were found to hold something, at least 1
     */
    public int found(JobId job) {
        int found = 1;
        for (int shard = 1; shard < Layout.MAX; shard++) {
            if (isUsed(job, shard)) {
                found = shard + 1;
            }
        }
        return found;
    }

    /** Where tasks lie somebody is listed, if only as fenced. */
    boolean isUsed(JobId job, int shard) {
        return !instances(job, shard).list().isEmpty();
    }

    /** Makes a layout for what a lost one has left, if there is none by now: then everybody looks into those shards again. */
    void recover(JobDefinition job) {
        int found = found(job.id());
        if (found > 1) {
            swap(job.id(), Layout.SINGLE, Layout.SINGLE.changedFor(job, found));
            arrange(job);
        }
    }

    private Instances instances(JobId job, int shard) {
        return new Instances(scripts, keys.ofShard(shard), job);
    }
}
