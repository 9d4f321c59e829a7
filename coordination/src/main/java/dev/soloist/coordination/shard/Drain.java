package dev.soloist.coordination.shard;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.ScriptRunner;

/**
 * Finds out when the last task has left the place that a former count gave it, and forgets the former counts then. A walk
 * through all ids that stops at the first that is out of place and goes on there at the next turn: nothing is put out of
 * place any more, so what is behind it stays in order. For one caller at a time; a walk lost with its process begins anew.
 */
public final class Drain {

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final JobId job;
    private final Layouts layouts;
    private Layout walked = Layout.SINGLE;
    private int shard;
    private boolean amongDone;
    private String cursor = "0";

    /** A walk that has not begun. */
    public Drain(ScriptRunner scripts, RedisKeys keys, JobId job) {
        this.scripts = scripts;
        this.keys = keys;
        this.job = job;
        this.layouts = new Layouts(scripts, keys);
    }

    /**
     * Goes on for a while.
     *
     * @param layout as it is now
     * @param pages of a hundred ids at most
     */
    public void turn(Layout layout, int pages) {
        if (layout.phase() == Layout.Phase.CLOSED) {
            return;
        }
        if (layout.former().isEmpty()) {
            trim(layout);
            return;
        }
        if (!layout.equals(walked)) {
            walked = layout;
            shard = 0;
            amongDone = false;
            cursor = "0";
        }
        for (int page = 0; page < pages; page++) {
            if (!goOn(layout)) {
                return;
            }
            if (shard == layout.span()) {
                layouts.swap(job, layout, layout.drained());
                return;
            }
        }
    }

    /** What is in use, by pods that have not heard yet or by a layout that is newer than this one, stays for another turn. */
    private void trim(Layout layout) {
        boolean all = true;
        for (int gone = layout.count(); gone < layout.span(); gone++) {
            all &= new ShardRemoval(scripts, keys.ofShard(gone), job).removeUnlessInUse();
        }
        if (all && layout.span() > layout.count()) {
            layouts.swap(job, layout, layout.trimmed());
        }
    }

    /** Whether the page was in order; the next one is the next to look at then. */
    private boolean goOn(Layout layout) {
        var names = keys.ofShard(shard);
        var page = new Ids(scripts).page(amongDone ? names.done(job) : names.tasks(job), cursor);
        if (page.ids().stream().anyMatch(id -> layout.home(id) != shard)) {
            return false;
        }
        cursor = page.next();
        if (page.isLast()) {
            shard += amongDone ? 1 : 0;
            amongDone = !amongDone;
        }
        return true;
    }
}
