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
}
