package dev.soloist.operator.job;

import dev.soloist.operator.core.LiveJobs;
import dev.soloist.operator.core.LiveJobs.LiveJob;
import dev.soloist.operator.core.PodBoard;

/// Lets pods take part. Their own events keep the board up to date; here it is written when the set of pods may have
/// changed.
final class Register implements Step {

    private final LiveJobs jobs;
    private final PodBoard board;
    private final Runnable sweepSoon;

    Register(LiveJobs jobs, PodBoard board, Runnable sweepSoon) {
        this.jobs = jobs;
        this.board = board;
        this.sweepSoon = sweepSoon;
    }

    @Override
    public Next run(Pass pass) {
        var job = new LiveJob(pass.definition(), pass.effective().matchLabels());
        if (jobs.put(job)) {
            try {
                pass.pods.forEach(board::write);
            } finally {
                // Also when a write failed: the sweep writes all, and goes on trying.
                sweepSoon.run();
            }
        }
        return Next.GO_ON;
    }
}
