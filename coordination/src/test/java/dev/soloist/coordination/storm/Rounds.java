package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.WallClock;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Storms on an empty server one after the other, each by another seed, until enough was seen. */
final class Rounds {

    /** So many rounds are done at least; a slow machine, and chance, need more. */
    private static final int LEAST = 6;

    private static final int MOST = 30;

    /** Makes one storm. */
    interface Maker {
        Storm storm(RedisLink link, int port, long seed);
    }

    private Rounds() {}

    /**
     * Goes on until enough was seen; what that is has to be asserted once more by the caller, for the rounds end.
     *
     * @param excused what is no violation here
     */
    static void until(
            BooleanSupplier enough,
            RedisProcess redis,
            long seed,
            Maker maker,
            Predicate<String> excused,
            Consumer<Storm> each) {
        try (RedisLink link = redis.link()) {
            for (int round = 0; round < LEAST || (round < MOST && !enough.getAsBoolean()); round++) {
                link.call("FLUSHALL");
                var clock = new WallClock();
                var storm = maker.storm(link, redis.port(), seed + round);
                var violations = storm.run();
                if (clock.wasSet()) {
                    System.out.println("the machine's clock was set in the round of seed " + (seed + round)
                            + ", which therefore tells nothing: " + violations);
                    continue;
                }
                assertThat(violations).as("seed %d", seed + round).allMatch(excused);
                each.accept(storm);
            }
        }
    }
}
