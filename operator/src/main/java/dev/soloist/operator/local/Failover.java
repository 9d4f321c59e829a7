package dev.soloist.operator.local;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Runs, tasks, then the pod in the middle of a run is killed while tasks that it handed in wait; another goes on.
final class Failover implements Script {

    private static final int KILLS = 6;

    private final Duration time;

    /// @param time after which it gives up
    Failover(Duration time) {
        this.time = time;
    }

    @Override
    public void play(Show show) throws IOException, InterruptedException {
        long deadline = Script.in(time);
        var ledger = show.ledger();
        enqueue(show, "early", 1, deadline);
        if (!ledger.await(all -> all.finishedRuns() >= 2 && all.allTasksDone(), deadline)) {
            return;
        }
        enqueue(show, "late", 4, deadline);
        if (!killInMidRun(show, deadline)) {
            return;
        }
        long before = ledger.finishedRuns();
        if (ledger.await(all -> all.finishedRuns() >= before + 1, deadline)) {
            replace(show, deadline);
        }
        Predicate<Ledger> over = all -> all.finishedRuns() >= before + 2 && all.allTasksDone();
        ledger.await(over, deadline);
    }

    /// On a slow machine the run may be over before the kill arrives: then another pod is tried.
    private static boolean killInMidRun(Show show, long deadline) throws IOException, InterruptedException {
        for (int pod = 0; pod < KILLS; pod++) {
            var victim = awaitHolder(show, deadline);
            if (victim == null) {
                return false;
            }
            show.timeline()
                    .say(
                            "kill",
                            victim.name() + ", in the middle of a run, with tasks of its own that are not due yet");
            victim.kill();
            show.ledger().await(_ -> show.cluster().pod(victim.name()).isEmpty(), deadline);
            if (show.ledger().wasCutInARun(victim.name())) {
                return true;
            }
            show.timeline().say("kill", "came too late: the run had just ended");
            replace(show, deadline);
        }
        return false;
    }

    private static void replace(Show show, long deadline) throws IOException {
        var replacement = show.cluster().add();
        show.timeline().say("pod", replacement.name() + " is started in its place");
        if (show.awaitReady(replacement, deadline)) {
            show.cluster().admit(replacement);
        }
    }

    @Override
    public List<Promise> judge(Judgement judgement, Ledger ledger) {
        var promises = new ArrayList<>(judgement.of(ledger.works(), ledger.tasks(), ledger.deaths()));
        if (promises.stream().noneMatch(promise -> promise.promised().startsWith("failover"))) {
            promises.add(new Promise("failover", false, "no pod died in the middle of a run"));
        }
        return promises;
    }

    @Override
    public int fewestRuns() {
        return 4;
    }

    private static void enqueue(Show show, String what, int seconds, long deadline)
            throws IOException, InterruptedException {
        var queue = show.plan().queue();
        if (queue == null) {
            return;
        }
        int i = 0;
        for (int round = 0; round < 2; round++) {
            for (var pod : show.cluster().pods()) {
                show.enqueue(pod, queue.id().name(), what + "-" + ++i, Duration.ofSeconds(seconds + round), deadline);
            }
        }
    }

    private static @Nullable LocalPod awaitHolder(Show show, long deadline) throws InterruptedException {
        Predicate<Ledger> running = all -> all.runInProgress().isPresent();
        // A run that begins now, not one that may be over in a moment.
        if (!show.ledger().await(running.negate(), deadline) || !show.ledger().await(running, deadline)) {
            return null;
        }
        return show.ledger()
                .runInProgress()
                .flatMap(run -> show.cluster().pod(run.pod()))
                .orElse(null);
    }
}
