package dev.soloist.coordination.storm;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.storm.Storm.Part;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Storms over each mutant until a rule is broken. */
public final class MutantHunt {

    /**
     * A second each. Nearly all are found in the first few. The most seldom ones took 23 at most in hunts by several seeds, which ends
     * after so many in vain once in many millions of hunts.
     */
    static final int MOST_ROUNDS = 400;

    private MutantHunt() {}

    static List<Mutant> all() {
        return Stream.of(
                        Mutants.SINGLETON,
                        Mutants.QUEUE,
                        Mutants.INSTANCE,
                        Mutants.RULED_QUEUE,
                        Mutants.STREAM,
                        ShardMutants.ALL)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * How a hunt ended.
     *
     * @param rounds that were stormed, the last of them the one that found something
     * @param violations of that round; empty if the mutant survives
     */
    record Hunted(int rounds, List<String> violations) {}

    /** Storms over a mutant until something gives it away. */
    static Hunted hunt(Mutant mutant, RedisLink link, int port, long seed) {
        Part part = partOf(mutant);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            link.call("FLUSHALL");
            List<String> violations = new Storm(link, port, seed + round, part, mutant).run();
            if (!violations.isEmpty()) {
                return new Hunted(round + 1, violations);
            }
        }
        return new Hunted(MOST_ROUNDS, List.of());
    }

    private static Part partOf(Mutant mutant) {
        if (ShardMutants.ALL.contains(mutant)) {
            return Part.SHARDED_QUEUE;
        } else if (Mutants.STREAM.contains(mutant)) {
            return Part.STREAM;
        } else if (Mutants.RULED_QUEUE.contains(mutant)) {
            return Part.RULED_QUEUE;
        }
        return mutant.script().startsWith("singleton/") ? Part.SINGLETONS : Part.QUEUE;
    }

    /**
     * Hunts all mutants, or those whose name holds the first argument, by as many seeds as the second argument says; tells how many
     * rounds each hunt took, and the last line counts the survivors.
     */
    public static void main(String[] arguments) {
        long seed = Long.getLong("soloist.seed", 7);
        int hunts = arguments.length < 2 ? 1 : Integer.parseInt(arguments[1]);
        int survivors = 0;
        List<Mutant> hunted = all().stream()
                .filter(mutant -> arguments.length == 0 || mutant.toString().contains(arguments[0]))
                .toList();
        try (var redis = new RedisProcess().start();
                RedisLink link = redis.link()) {
            for (Mutant mutant : hunted) {
                long begun = System.nanoTime();
                var rounds = new ArrayList<Integer>();
                String why = "";
                for (int i = 0; i < hunts; i++) {
                    // Further apart than the rounds of one hunt, so that no two hunts share a seed.
                    Hunted one = hunt(mutant, link, redis.port(), seed + 1000L * i);
                    rounds.add(one.rounds());
                    why = one.violations().isEmpty()
                            ? "SURVIVES"
                            : one.violations().getFirst();
                    survivors += one.violations().isEmpty() ? 1 : 0;
                }
                System.out.printf(
                        "%-50s %5.1f s  rounds %s  %s%n",
                        mutant,
                        (System.nanoTime() - begun) / 1e9,
                        rounds,
                        why.substring(0, Math.min(140, why.length())));
            }
        }
        System.out.printf("mutants: %d caught of %d%n", hunted.size() * hunts - survivors, hunted.size() * hunts);
        System.exit(survivors == 0 ? 0 : 1);
    }
}
