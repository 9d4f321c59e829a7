package dev.soloist.sidecar.history;

import dev.soloist.sidecar.history.SoakStep.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;

/** What is done when, chosen by a seed. Two plans of one seed and the same sizes are equal. */
record SoakPlan(long seed, Duration time, SoakSize size, List<SoakStep> steps) {

    private static final int MEAN_MILLIS = 150;
    /** A failover loses writes, and rules forget what they knew: late, and not in a short run. */
    private static final Duration WITH_FAILOVER = Duration.ofSeconds(40);

    static SoakPlan of(long seed, Duration time, SoakSize size) {
        RandomGenerator dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int weights = Arrays.stream(Kind.values()).mapToInt(kind -> kind.weight).sum();
        var steps = new ArrayList<SoakStep>();
        long failover = time.compareTo(WITH_FAILOVER) < 0 ? Long.MAX_VALUE : time.toMillis() * 3 / 4;
        for (long at = 0; at < time.toMillis(); at += 1 + dice.nextInt(2 * MEAN_MILLIS)) {
            if (at >= failover) {
                steps.add(new SoakStep(failover, Kind.FAILOVER, 0, 0));
                failover = Long.MAX_VALUE;
            }
            steps.add(step(at, kind(dice.nextInt(weights)), dice, size));
        }
        return new SoakPlan(seed, time, size, List.copyOf(steps));
    }

    private static Kind kind(int roll) {
        int left = roll;
        for (Kind kind : Kind.values()) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the roll is beyond all weights");
    }

    private static SoakStep step(long at, Kind kind, RandomGenerator dice, SoakSize size) {
        int target = switch (kind.on) {
            case POD -> dice.nextInt(size.pods());
            case JOB -> dice.nextInt(size.jobs());
            case QUEUE -> dice.nextInt(size.queues());
            case REDIS -> 0;
        };
        return new SoakStep(at, kind, target, kind.least + dice.nextInt(kind.most - kind.least + 1));
    }

    /** One step a line. */
    String table() {
        return steps.stream().map(SoakStep::toString).collect(Collectors.joining("\n"));
    }
}
