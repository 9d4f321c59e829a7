package dev.soloist.e2e.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The alerts name metrics that exist, say what to do, have test cases, and are the same in both of their forms. */
class AlertsTest {

    private static final Path FOLDER = Path.of("../config/prometheus");
    private static final Path CASES = Path.of("src/test/resources/dev/soloist/e2e/live/alerts_test.yaml");

    @Test
    void bothFormsAreTheSame() throws IOException {
        assertThat(read("alerts_rule.yaml").path("spec").path("groups"))
                .isEqualTo(read("alerts.yaml").path("groups"));
    }

    @Test
    void theyNameOnlyListedMetricsAndLabels() throws IOException {
        var metrics = Metric.all();
        for (var alert : alerts()) {
            var expression = alert.path("expr").asText();
            Set<String> labels = new TreeSet<>();
            for (var series : PromQl.series(expression)) {
                assertThat(metrics).as(expression).containsKey(series);
                labels.addAll(metrics.get(series).usableLabels());
            }
            assertThat(labels).as(expression).containsAll(PromQl.labels(expression));
        }
    }

    @Test
    void eachSaysHowBadItIsAndWhatToDoAndHasCases() throws IOException {
        var cases = Files.readString(CASES);
        for (var alert : alerts()) {
            var name = alert.path("alert").asText();
            assertThat(alert.path("labels").path("severity").asText()).as(name).isIn("critical", "warning");
            assertThat(alert.path("annotations").path("summary").asText())
                    .as(name)
                    .isNotBlank();
            assertThat(alert.path("annotations").path("description").asText())
                    .as(name)
                    .endsWith(".");
            assertThat(cases).contains(name);
        }
    }

    private static JsonNode alerts() throws IOException {
        return read("alerts.yaml").path("groups").get(0).path("rules");
    }

    private static JsonNode read(String file) throws IOException {
        return new ObjectMapper(new YAMLFactory()).readTree(Files.readString(FOLDER.resolve(file)));
    }
}
