package dev.soloist.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alerts by Prometheus' own test tool: each fires when it should, and is silent in a case beside it. */
@Tag("prometheus")
class AlertsIT {

    private static final Path CASES = Path.of("src/test/resources/dev/soloist/e2e/live/alerts_test.yaml");

    @Test
    void eachAlertFiresInItsCaseAndNotBesideIt() throws IOException, InterruptedException {
        var process = new ProcessBuilder(PrometheusBinary.promtool().toString(), "test", "rules", CASES.toString())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
