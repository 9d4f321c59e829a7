package dev.soloist.e2e.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/operations.md names the metrics and panels that there are. */
class OperationsDocumentTest {

    private static final Pattern LINE =
            Pattern.compile("^\\| `(soloist_[a-z_]+)` \\| (sidecar|operator) \\| .+\\? \\|$", Pattern.MULTILINE);
    private static final Pattern PANEL = Pattern.compile("(?<![*|`])\\*([A-Z][^*]+)\\*(?!\\*)");

    private final String document = read();

    @Test
    void itsTableHasAllMetricsOfBothModules() {
        Map<String, String> listed = new TreeMap<>();
        LINE.matcher(document).results().forEach(line -> listed.put(line.group(1), line.group(2)));
        assertThat(listed)
                .isEqualTo(Metric.all().values().stream().collect(Collectors.toMap(Metric::name, Metric::module)));
    }

    @Test
    void thePanelsItSendsReadersToExist() {
        var titles = LoadedPanel.all().stream().map(LoadedPanel::title).toList();
        assertThat(PANEL.matcher(document).results().map((MatchResult found) -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(title -> assertThat(titles).contains(title));
    }

    private static String read() {
        try {
            return Files.readString(Path.of("../docs/operations.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
