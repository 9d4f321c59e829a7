package dev.soloist.operator.local;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Runs and tasks for a while, and whatever the one at the keyboard asks for.
final class FreePlay implements Script {

    private static final Duration BETWEEN_TASKS = Duration.ofSeconds(3);
    private static final Duration DELAY = Duration.ofSeconds(5);
    private static final int PODS = 3;

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
                case KILL -> kill(show);
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

    private static void kill(Show show) throws IOException, InterruptedException {
        var pods = show.cluster().pods();
        if (pods.isEmpty()) {
            return;
        }
        var victim = show.ledger()
                .runInProgress()
                .flatMap(run -> show.cluster().pod(run.pod()))
                .orElse(pods.getFirst());
        show.timeline().say("kill", victim.name());
        victim.kill();
        victim.appEnd().join();
        if (show.cluster().pods().size() < PODS) {
            var replacement = show.cluster().add();
            show.timeline().say("pod", replacement.name() + " is started in its place");
            if (show.awaitReady(replacement, Script.in(Duration.ofSeconds(20)))) {
                show.cluster().admit(replacement);
            }
        }
    }
}
