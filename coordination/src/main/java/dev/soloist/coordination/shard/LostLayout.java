package dev.soloist.coordination.shard;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.ScriptRunner;

/**
 * Finds tasks in shards of which no layout tells, because it was lost with its server, when the definition asks for one shard
 * and so nothing is to be changed. Looks into each possible shard once for each definition, a few at a turn, and into all of
 * them when there was a layout and is none: then nothing more, so that a job that never had shards costs nothing. For one
 * caller at a time; a search lost with its process begins anew.
 */
public final class LostLayout {

    private static final int AT_A_TURN = 2;

    private final Layouts layouts;
    private String definition = "";
    private boolean hadOne;
    private int next = 1;

    /** A search that has not begun. */
    public LostLayout(ScriptRunner scripts, RedisKeys keys) {
        this.layouts = new Layouts(scripts, keys);
    }

    /**
     * Goes on for a while. Shards that do not answer are looked at later: the job's own may be all there are.
     *
     * @param now the layout as it is
     */
    public void turn(JobDefinition job, Layout now) {
        if (!now.equals(Layout.SINGLE)) {
            hadOne = true;
            return;
        }
        var asked = job.uid() + "/" + job.generation();
        if (hadOne || !asked.equals(definition)) {
            definition = asked;
            next = 1;
        }
        int end = hadOne ? Layout.MAX : Math.min(Layout.MAX, next + AT_A_TURN);
        try {
            for (; next < end; next++) {
                if (layouts.isUsed(job.id(), next)) {
                    layouts.recover(job);
                    return;
                }
            }
            hadOne = false;
        } catch (RedisUnavailable unanswered) {
            // The next turn asks again.
            return;
        }
    }
}
