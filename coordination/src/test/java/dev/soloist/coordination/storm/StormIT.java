package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StormIT {

    private static final int ROUNDS = 6;

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());

    @Test
    void z1_z2_z3_z4_theScriptsAsTheyAreKeepEveryRule() {
        long runs = 0;
        long acks = 0;
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < ROUNDS; round++) {
                link.call("FLUSHALL");
                var storm = new Storm(link, REDIS.port(), seed + round, Storm.Part.ALL, UnaryOperator.identity());
                List<String> violations = storm.run();
                assertThat(violations).as("seed %d", seed + round).isEmpty();
                runs += storm.history().count(Event.Granted.class);
                acks += storm.history().count(Event.Acked.class);
            }
        }
        assertThat(runs).isGreaterThan(100);
        assertThat(acks).isGreaterThan(100);
    }

    @Test
    void eachEndOfARunStandsInTheLogOnce() {
        long runs = 0;
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < 3; round++) {
                link.call("FLUSHALL");
                var storm =
                        new Storm(link, REDIS.port(), seed + round, Storm.Part.SINGLETONS, UnaryOperator.identity());
                assertThat(storm.run()).as("seed %d", seed + round).isEmpty();
                var logged = storm.logged();
                assertThat(logged.keySet()).isEqualTo(storm.ends().keySet());
                logged.forEach((job, fences) -> assertThat(fences)
                        .as("%s, seed %d", job, seed)
                        .doesNotHaveDuplicates()
                        .hasSize(Math.toIntExact(storm.ends().get(job))));
                runs += logged.values().stream().mapToLong(List::size).sum();
            }
        }
        assertThat(runs).isGreaterThan(50);
    }

    @Test
    void r06_f13_byStreamNoTaskIsLostOrHeldTwiceThoughStreamsAreRemovedAndListsUsedBesideThem() {
        long acks = 0;
        long losses = 0;
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < ROUNDS; round++) {
                link.call("FLUSHALL");
                var storm = new Storm(link, REDIS.port(), seed + round, Storm.Part.STREAM, UnaryOperator.identity());
                List<String> violations = storm.run();
                assertThat(violations).as("seed %d", seed + round).isEmpty();
                acks += storm.history().count(Event.Acked.class);
                losses += storm.lossesOfTheSettledStream();
            }
        }
        assertThat(acks).isGreaterThan(100);
        assertThat(losses).isGreaterThan(5);
    }

    @Test
    void e01_e02_noKeyHasTwoLivingTasksAndNoSpanMoreStartsThanItsLimit() {
        long keyed = 0;
        long told = 0;
        long begun = 0;
        long requeued = 0;
        long once = 0;
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < ROUNDS; round++) {
                link.call("FLUSHALL");
                var storm =
                        new Storm(link, REDIS.port(), seed + round, Storm.Part.RULED_QUEUE, UnaryOperator.identity());
                List<String> violations = storm.run();
                assertThat(violations).as("seed %d", seed + round).isEmpty();
                keyed += storm.history().count(Event.Keyed.class);
                told += storm.history().count(Event.KeyTaken.class);
                begun += storm.history().count(Event.Begun.class);
                requeued += storm.history().count(Event.Died.class);
                once += storm.history().count(Event.GivenOnce.class);
            }
        }
        assertThat(keyed).isGreaterThan(100);
        assertThat(told).isGreaterThan(50);
        assertThat(begun).isGreaterThan(100);
        assertThat(requeued).isGreaterThan(5);
        assertThat(once).isGreaterThan(20);
    }

    @Test
    void oneIdLivesInOneShardAtATimeWhileTheirNumberChanges() {
        long acks = 0;
        long layouts = 0;
        try (RedisLink link = REDIS.link()) {
            for (int round = 0; round < ROUNDS; round++) {
                link.call("FLUSHALL");
                var storm =
                        new Storm(link, REDIS.port(), seed + round, Storm.Part.SHARDED_QUEUE, UnaryOperator.identity());
                List<String> violations = storm.run();
                assertThat(violations).as("seed %d", seed + round).isEmpty();
                acks += storm.history().count(Event.Acked.class);
                layouts += storm.layouts().size();
            }
        }
        assertThat(acks).isGreaterThan(100);
        assertThat(layouts).isGreaterThan(3L * ROUNDS);
    }
}
