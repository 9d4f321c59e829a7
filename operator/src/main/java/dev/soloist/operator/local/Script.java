package dev.soloist.operator.local;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// What happens while the pods run. It ends by itself.
interface Script {

    /// Plays until all is shown, or until its time is over: then the judgement says what is missing.
    void play(Show show) throws IOException, InterruptedException;

    /// What must have happened at the end.
    List<Promise> judge(Judgement judgement, Ledger ledger);

    /// Runs below which nothing was shown.
    int fewestRuns();

    /// A moment of [System#nanoTime()].
    static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }
}
