package dev.soloist.coordination.storm;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.storm.Storm.Part;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Storms over each mutant until a rule is broken. */
public final class MutantHunt {

    /** A second each. Most are found in the first few; what is seldom on the way needs luck, and gets it. */
    static final int MOST_ROUNDS = 150;

    private MutantHunt() {}

    static List<Mutant> all() {
        return Stream.of(Mutants.SINGLETON, Mutants.QUEUE, Mutants.INSTANCE, Mutants.RULED_QUEUE)
                .flatMap(List::stream)
                .toList();
    }

    /** What gave a mutant away: the violations of the first round that has any; empty if it survives. */
    static List<String> hunt(Mutant mutant, RedisLink link, int port, long seed) {
        Part part = mutant.script().startsWith("singleton/")
                ? Part.SINGLETONS
                : Mutants.RULED_QUEUE.contains(mutant) ? Part.RULED_QUEUE : Part.QUEUE;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            link.call("FLUSHALL");
            List<String> violations = new Storm(link, port, seed + round, part, mutant).run();
            if (!violations.isEmpty()) {
                return violations;
            }
        }
        return List.of();
    }

    /** Hunts all mutants, or those whose name holds the first argument; the last line counts them. */
    public static void main(String[] arguments) {
        long seed = Long.getLong("soloist.seed", 7);
        var survivors = new ArrayList<Mutant>();
        List<Mutant> hunted = all().stream()
                .filter(mutant -> arguments.length == 0 || mutant.name().contains(arguments[0]))
                .toList();
        try (var redis = new RedisProcess().start();
                RedisLink link = redis.link()) {
            for (Mutant mutant : hunted) {
                long begun = System.nanoTime();
                List<String> violations = hunt(mutant, link, redis.port(), seed);
                String why = violations.isEmpty() ? "SURVIVES" : violations.getFirst();
                System.out.printf(
                        "%-46s %5.1f s  %s%n",
                        mutant.name(),
                        (System.nanoTime() - begun) / 1e9,
                        why.substring(0, Math.min(140, why.length())));
                if (violations.isEmpty()) {
                    survivors.add(mutant);
                }
            }
        }
        System.out.printf("mutants: %d caught of %d%n", hunted.size() - survivors.size(), hunted.size());
        System.exit(survivors.isEmpty() ? 0 : 1);
    }
}
