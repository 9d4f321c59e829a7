package dev.soloist.e2e.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class DashboardFileTest {

    @Test
    void theFileIsWhatTheGeneratorWrites() throws IOException {
        assertThat(Files.readString(DashboardFile.PATH))
                .as("config/grafana/soloist.json is out of date: run `make generate`")
                .isEqualTo(JsonText.of(Dashboard.json()));
    }

    @Test
    void aConfigMapCanHoldIt() throws IOException {
        assertThat(Files.size(DashboardFile.PATH)).isLessThan(512 * 1024);
    }
}
