package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts that are broken on purpose: the rules have to find every one, or they prove nothing about those that are not. */
class MutantsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static RedisLink link;

    private final long seed = Long.getLong("soloist.seed", 7);

    @BeforeAll
    static void connect() {
        link = REDIS.link();
    }

    @AfterAll
    static void disconnect() {
        link.close();
    }

    static Stream<Mutant> mutants() {
        return MutantHunt.all().stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenScriptIsFound(Mutant mutant) {
        assertThat(MutantHunt.hunt(mutant, link, REDIS.port(), seed).violations())
                .as("seed %d", seed)
                .isNotEmpty();
    }
}
