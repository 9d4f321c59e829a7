package dev.soloist.sidecar.history;

import dev.soloist.coordination.history.History;
import java.nio.file.Path;
import java.time.Duration;

/** Soaks for the seconds and by the seed of the arguments. Exit code 1 where a rule was broken; the history is named then. */
final class SoakMain {

    private static final SoakSize SIZE = new SoakSize(4, 4, 2);

    private SoakMain() {}

    /** {@code SECONDS SEED}. */
    public static void main(String[] arguments) throws InterruptedException {
        long seed = Long.parseLong(arguments[1]);
        var plan = SoakPlan.of(seed, Duration.ofSeconds(Long.parseLong(arguments[0])), SIZE);
        System.out.println(plan.table());
        Soak.Outcome outcome;
        try (var soak = new Soak(plan)) {
            outcome = soak.run();
        }
        Path file = Path.of("target", "soak-%d.jsonl".formatted(seed));
        History.write(outcome.events(), file);
        outcome.violations().stream().limit(20).forEach(System.out::println);
        if (!outcome.violations().isEmpty()) {
            System.out.println("soak: the history is in sidecar/" + file);
        }
        System.out.println(outcome.line(seed));
        System.exit(outcome.violations().isEmpty() ? 0 : 1);
    }
}
