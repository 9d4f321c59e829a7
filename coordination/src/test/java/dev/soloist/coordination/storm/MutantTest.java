package dev.soloist.coordination.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MutantTest {

    static Stream<Mutant> mutants() {
        return MutantHunt.all().stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void whatAMutantReplacesStandsInItsScriptOnce(Mutant mutant) throws IOException {
        String path = "/dev/soloist/coordination/" + mutant.script() + ".lua";
        try (InputStream in = ScriptRunner.class.getResourceAsStream(path)) {
            assertThat(in).as(path).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);

            assertThat(mutant.places(text)).isEqualTo(1);
            var original = new LuaScript("dev/soloist/coordination/" + mutant.script() + ".lua", text, "", 1, 1);
            assertThat(mutant.apply(original).text()).isNotEqualTo(text).contains(mutant.to());
        }
    }
}
