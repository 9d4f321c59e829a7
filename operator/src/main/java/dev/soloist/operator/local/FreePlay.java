package dev.soloist.operator.local;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs and tasks for a while, and whatever the one at the keyboard asks for.
final class FreePlay implements Script {

    private static final Duration BETWEEN_TASKS = Duration.ofSeconds(3);
    private static final Duration DELAY = Duration.ofSeconds(5);

    private final Keyboard keyboard;
    private final Duration time;

    FreePlay(Keyboard keyboard, Duration time) {
        this.keyboard = keyboard;
        this.time = time;
    }

    @Override
    public void play(Show show) throws IOException, InterruptedException {
        long end = Script.in(time);
        show.timeline().plain(keyboard.offer());
        int tasks = 0;
        while (System.nanoTime() < end && show.ledger().trouble() == null) {
            enqueue(show, ++tasks);
            switch (keyboard.await(BETWEEN_TASKS)) {
                case NOTHING -> {}
                case QUIT -> end = System.nanoTime();
                case KILL_POD -> kill(show);
                case KILL_APP -> crash(show, "app");
                case KILL_SIDECAR -> crash(show, "sidecar");
            }
        }
        show.timeline().say("end", "nothing new is handed in; what waits is finished");
        show.ledger().await(Ledger::allTasksDone, Script.in(DELAY.multipliedBy(8)));
    }

    @Override
    public List<Promise> judge(Judgement judgement, Ledger ledger) {
        return judgement.of(ledger.works(), ledger.tasks(), ledger.deaths());
    }

    @Override
    public int fewestRuns() {
        return 1;
    }

    private static void enqueue(Show show, int number) throws IOException, InterruptedException {
        var queue = show.plan().queue();
        var pods = show.cluster().pods();
        if (queue != null && !pods.isEmpty()) {
            show.enqueue(pods.get(number % pods.size()), queue.id().name(), "task-" + number, DELAY, Script.in(DELAY));
        }
    }

    private static void crash(Show show, String container) throws InterruptedException {
        var victim = atWork(show);
        if (victim.isPresent()) {
            show.timeline()
                    .say("kill", "the " + container + " of " + victim.get().name());
            victim.get().crash(container);
        }
    }

    private static void kill(Show show) throws IOException, InterruptedException {
        var victim = atWork(show);
        if (victim.isEmpty()) {
            return;
        }
        var name = victim.get().name();
        show.timeline().say("kill", name);
        victim.get().kill();
        show.ledger().await(_ -> show.cluster().pod(name).isEmpty(), Script.in(DELAY));
        var replacement = show.cluster().add();
        show.timeline().say("pod", replacement.name() + " is started in its place");
        if (show.awaitReady(replacement, Script.in(DELAY.multipliedBy(4)))) {
            show.cluster().admit(replacement);
        }
    }

    /// The pod in the middle of a run, now or soon; any if there is none.
    private static Optional<LocalPod> atWork(Show show) throws InterruptedException {
        var ledger = show.ledger();
        ledger.await(all -> all.runInProgress().isPresent(), Script.in(BETWEEN_TASKS));
        return ledger.runInProgress()
                .flatMap(run -> show.cluster().pod(run.pod()))
                .or(() -> show.cluster().pods().stream().findFirst());
    }
}
