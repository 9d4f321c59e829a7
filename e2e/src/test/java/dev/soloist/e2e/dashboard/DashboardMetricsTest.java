package dev.soloist.e2e.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The READMEs list what sidecar and operator export; that they do is shown by the live test. */
class DashboardMetricsTest {

    private final Map<String, Metric> bySeries = Metric.all().values().stream()
            .flatMap(metric -> metric.series().stream().map(series -> Map.entry(series, metric)))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    static List<LoadedPanel> panels() {
        return LoadedPanel.all();
    }

    @ParameterizedTest
    @MethodSource("panels")
    void aPanelNamesOnlyMetricsAndLabelsThatAreListed(LoadedPanel panel) {
        for (var query : panel.expressions()) {
            var series = PromQl.series(query);
            assertThat(series).as(query).isNotEmpty();
            assertThat(bySeries).as(query).containsKeys(series.toArray(String[]::new));
            Set<String> usable = new TreeSet<>();
            series.forEach(name -> usable.addAll(bySeries.get(name).usableLabels()));
            assertThat(usable).as(query).containsAll(PromQl.labels(query));
        }
    }

    /** Prometheus would rename a label that its own target has: {@code job} would arrive as {@code exported_job}. */
    @Test
    void noMetricHasALabelThatAScrapeWouldOverwrite() {
        Metric.all()
                .values()
                .forEach(metric -> assertThat(metric.labels())
                        .as(metric.name())
                        .doesNotContainAnyElementsOf(Metric.OF_THE_SCRAPE));
    }

    @Test
    void namesSayTypeAndUnit() {
        Metric.all().values().forEach(metric -> {
            switch (metric.type()) {
                case "counter" -> assertThat(metric.name()).endsWith("_total");
                case "histogram" -> assertThat(metric.name()).endsWith("_seconds");
                default -> assertThat(metric.name()).doesNotEndWith("_total");
            }
        });
    }
}
