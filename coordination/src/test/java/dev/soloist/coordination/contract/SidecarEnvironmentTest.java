package dev.soloist.coordination.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SidecarEnvironmentTest {

    @Test
    void whatTheInjectorWritesIsWhatTheSidecarReads() {
        var written = new SidecarEnvironment("blue", 1, "10.0.0.7", 2, "/store", "/token", 45, "DEBUG");

        assertThat(SidecarEnvironment.fromEnvironment(written.toEnvironment())).isEqualTo(written);
    }

    @Test
    void everyVariableButThoseOfSpecialPodsIsWrittenByOneSideOfTheInjector() {
        var literals = SidecarEnvironment.defaults("main").toEnvironment().keySet().stream();
        var fields =
                Arrays.stream(PodField.values()).map(field -> field.variable().key());

        var special = Stream.of(Variable.TRIGGER_PORT.key(), Variable.ENDS_WITH_APP.key());

        assertThat(Stream.of(literals, fields, special).flatMap(names -> names))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Variable.values()).map(Variable::key).toList());
    }

    @Test
    void absentAndEmptyVariablesTakeTheDefaults() {
        assertThat(SidecarEnvironment.fromEnvironment(Map.of(Variable.API_PORT.key(), " ")))
                .isEqualTo(SidecarEnvironment.defaults("main"));
    }

    @Test
    void anUnreadableNumberNamesItsVariable() {
        assertThatThrownBy(() -> SidecarEnvironment.fromEnvironment(Map.of(Variable.METRICS_PORT.key(), "99999")))
                .isInstanceOf(InvalidEnvironment.class)
                .hasMessageContaining("SOLOIST_METRICS_PORT")
                .hasMessageContaining("99999");
    }

    @Test
    void theAppIsGivenItsTwoVariables() {
        assertThat(new AppEnvironment(7600, "/var/run/soloist/token").toEnvironment())
                .containsExactly(
                        Map.entry("SOLOIST_API", "http://127.0.0.1:7600"),
                        Map.entry("SOLOIST_TOKEN_FILE", "/var/run/soloist/token"));
    }
}
