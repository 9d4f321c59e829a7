package dev.soloist.coordination.delayed;

/**
 * What one step of a repair mended; all noughts on a sound queue. Immutable.
 *
 * @param next the next step
 * @param deadlines held tasks that had none
 * @param deadLetters dead tasks that were not listed
 * @param orphans attempt records without a task
 * @param hints overdue tasks that no ready list held
 * @param reindexed waiting tasks that no segment held, or none that anybody looks after
 * @param retentions finished ids that would have been remembered for ever
 */
public record Repaired(
        Repair next, int deadlines, int deadLetters, int orphans, int hints, int reindexed, int retentions) {

    /** Everything this step mended. */
    public int mended() {
        return deadlines + deadLetters + orphans + hints + reindexed + retentions;
    }
}
