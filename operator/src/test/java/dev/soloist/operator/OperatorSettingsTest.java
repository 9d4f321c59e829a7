package dev.soloist.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorSettingsTest {

    private static final Map<String, String> LEAST =
            Map.of("POD_NAME", "p", "POD_NAMESPACE", "ns", "SOLOIST_SIDECAR_IMAGE", "sidecar:1");

    @Test
    void whatIsRequiredIsEnough() {
        var settings = OperatorSettings.read(LEAST);

        assertThat(settings.install().name()).isEqualTo("main");
        assertThat(settings.webhookPort()).isEqualTo(9443);
        assertThat(settings.deletionTimeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @CsvSource({"POD_NAME", "POD_NAMESPACE", "SOLOIST_SIDECAR_IMAGE"})
    void whatIsMissingIsNamed(String name) {
        var environment = new HashMap<>(LEAST);
        environment.remove(name);

        assertThatThrownBy(() -> OperatorSettings.read(environment)).hasMessageContaining(name);
    }

    @ParameterizedTest
    @CsvSource({
        "SOLOIST_WEBHOOK_PORT, tcp://10.0.0.1:443",
        "SOLOIST_METRICS_PORT, 70000",
        "SOLOIST_DELETION_TIMEOUT, soon"
    })
    void whatIsWrongIsNamed(String name, String value) {
        var environment = new HashMap<>(LEAST);
        environment.put(name, value);

        assertThatThrownBy(() -> OperatorSettings.read(environment))
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }
}
