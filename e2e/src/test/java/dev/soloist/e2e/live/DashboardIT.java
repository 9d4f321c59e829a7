package dev.soloist.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.soloist.e2e.dashboard.LoadedPanel;
import dev.soloist.e2e.dashboard.Metric;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every query of the dashboard, answered by a real Prometheus that scrapes live processes; and every listed metric is exported. */
@Tag("api")
@Tag("prometheus")
class DashboardIT {

    private static Installation installation;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        installation = new Installation(folder);
        try (var trouble = new Trouble(installation)) {
            trouble.make();
        }
    }

    @AfterAll
    static void end() throws IOException {
        if (installation != null) {
            installation.close();
        }
    }

    static List<LoadedPanel> panels() {
        return LoadedPanel.all();
    }

    static Stream<Metric> metrics() {
        return Metric.all().values().stream();
    }

    static Stream<Metric> counters() {
        return metrics().filter(metric -> metric.type().equals("counter"));
    }

    @ParameterizedTest
    @MethodSource("panels")
    void aPanelShowsData(LoadedPanel panel) {
        for (var expression : panel.expressions()) {
            var query = expression
                    .replace("$__rate_interval", "30m")
                    .replace("$__range", "30m")
                    .replace("$namespace", "shop|other")
                    .replace("$djob", ".*");
            assertThat(query).doesNotContain("$");
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(numbers(query))
                            .as("%s: %s", panel, query)
                            .isNotEmpty());
        }
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void aListedMetricIsExportedWithItsLabels(Metric metric) {
        var series = metric.series().iterator().next();
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            var result = installation.prometheus().query(series);
            assertThat(result).as(series).isNotEmpty();
            for (var element : result) {
                assertThat(metric.labelsOf(element.path("metric"))).as(series).isEqualTo(metric.labels());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("counters")
    void aListedCounterCounts(Metric metric) {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(numbers("sum(max_over_time(" + metric.name() + "[30m])) > 0"))
                        .as(metric.name())
                        .isNotEmpty());
    }

    private static List<Double> numbers(String query) {
        return StreamSupport.stream(installation.prometheus().query(query).spliterator(), false)
                .map(element -> element.path("value").get(1))
                .map(JsonNode::asText)
                .filter(value -> !value.equals("NaN"))
                .map(Double::valueOf)
                .toList();
    }
}
