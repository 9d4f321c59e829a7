package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StormIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    @Test
    void z1_z2_z3_z4_theScriptsAsTheyAreKeepEveryRule() {
        rounds(
                Storm.Part.ALL,
                () -> seen("runs") > 100 && seen("acks") > 100,
                storm -> see(storm, Map.of("runs", Event.Granted.class, "acks", Event.Acked.class)));

        assertThat(seen("runs")).isGreaterThan(100);
        assertThat(seen("acks")).isGreaterThan(100);
    }

    @Test
    void eachEndOfARunStandsInTheLogOnce() {
        rounds(Storm.Part.SINGLETONS, () -> seen("logged") > 50, storm -> {
            var logged = storm.logged();
            assertThat(logged.keySet()).isEqualTo(storm.ends().keySet());
            logged.forEach((job, fences) -> assertThat(fences)
                    .as("%s, seed %d", job, seed)
                    .doesNotHaveDuplicates()
                    .hasSize(Math.toIntExact(storm.ends().get(job))));
            see("logged", logged.values().stream().mapToLong(List::size).sum());
        });

        assertThat(seen("logged")).isGreaterThan(50);
    }

    @Test
    void r06_f13_byStreamNoTaskIsLostOrHeldTwiceThoughStreamsAreRemovedAndListsUsedBesideThem() {
        rounds(Storm.Part.STREAM, () -> seen("acks") > 100 && seen("losses") > 5, storm -> {
            see(storm, Map.of("acks", Event.Acked.class));
            see("losses", storm.lossesOfTheSettledStream());
        });

        assertThat(seen("acks")).isGreaterThan(100);
        assertThat(seen("losses")).isGreaterThan(5);
    }

    @Test
    void e01_e02_noKeyHasTwoLivingTasksAndNoSpanMoreStartsThanItsLimit() {
        rounds(
                Storm.Part.RULED_QUEUE,
                () -> seen("keyed") > 100
                        && seen("told") > 50
                        && seen("begun") > 100
                        && seen("requeued") > 5
                        && seen("once") > 20,
                storm -> see(
                        storm,
                        Map.of(
                                "keyed", Event.Keyed.class,
                                "told", Event.KeyTaken.class,
                                "begun", Event.Begun.class,
                                "requeued", Event.Died.class,
                                "once", Event.GivenOnce.class)));

        assertThat(seen("keyed")).isGreaterThan(100);
        assertThat(seen("told")).isGreaterThan(50);
        assertThat(seen("begun")).isGreaterThan(100);
        assertThat(seen("requeued")).isGreaterThan(5);
        assertThat(seen("once")).isGreaterThan(20);
    }

    @Test
    void oneIdLivesInOneShardAtATimeWhileTheirNumberChanges() {
        rounds(Storm.Part.SHARDED_QUEUE, () -> seen("acks") > 100 && seen("layouts") > 18, storm -> {
            see(storm, Map.of("acks", Event.Acked.class));
            see("layouts", storm.layouts().size());
        });

        assertThat(seen("acks")).isGreaterThan(100);
        assertThat(seen("layouts")).isGreaterThan(18);
    }

    private void rounds(Storm.Part part, BooleanSupplier enough, Consumer<Storm> each) {
        Rounds.until(
                enough,
                REDIS,
                seed,
                (link, port, roundSeed) -> new Storm(link, port, roundSeed, part, UnaryOperator.identity()),
                _ -> false,
                each);
    }

    private void see(Storm storm, Map<String, Class<? extends Event>> kinds) {
        kinds.forEach((name, kind) -> see(name, storm.history().count(kind)));
    }

    private void see(String name, long count) {
        seen.merge(name, count, Long::sum);
    }

    private long seen(String name) {
        return seen.getOrDefault(name, 0L);
    }
}
