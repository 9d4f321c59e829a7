package dev.soloist.e2e.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of Grafana's dashboard-linter that concern us, on the file as it is. */
class DashboardRulesTest {

    private static final Set<String> UNITS =
            Set.of("none", "s", "ops", "opm", "percentunit", "dateTimeFromNow", "bytes");

    private final JsonNode dashboard = LoadedPanel.dashboard();

    static List<LoadedPanel> panels() {
        return LoadedPanel.all();
    }

    @Test
    void itsIdentityIsFixedAndItNeedsNoImportDialogue() {
        assertThat(dashboard.path("uid").asText()).isEqualTo("soloist-overview").hasSizeLessThan(41);
        assertThat(dashboard.path("schemaVersion").asInt()).isEqualTo(39);
        assertThat(dashboard.has("__inputs")).isFalse();
        assertThat(dashboard.has("__requires")).isFalse();
        assertThat(dashboard.has("id")).isFalse();
        assertThat(dashboard.path("editable").asBoolean(true)).isFalse();
        assertThat(dashboard.path("title").asText()).isNotBlank();
    }

    @Test
    void theReaderChoosesDataSourceNamespacesAndJobs() {
        var variables = dashboard.path("templating").path("list");
        assertThat(variables.findValuesAsText("name")).containsExactly("datasource", "namespace", "djob");
        assertThat(variables.get(0).path("type").asText()).isEqualTo("datasource");
        for (var variable : List.of(variables.get(1), variables.get(2))) {
            assertThat(variable.path("type").asText()).isEqualTo("query");
            assertThat(variable.path("multi").asBoolean()).isTrue();
            assertThat(variable.path("includeAll").asBoolean()).isTrue();
            assertThat(variable.path("allValue").asText()).isEqualTo(".*");
            assertThat(variable.path("refresh").asInt())
                    .as("on change of the time range")
                    .isEqualTo(2);
            assertThat(variable.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
        }
    }

    @Test
    void theRowsAreThoseThatOnCallPeopleKnow() {
        assertThat(StreamSupport.stream(dashboard.path("panels").spliterator(), false)
                        .filter(panel -> panel.path("type").asText().equals("row"))
                        .map(panel -> panel.path("title").asText()))
                .containsExactly(
                        "Jobs", "Holders", "Lateness", "Failures", "Queue depths", "Store", "Reclaim", "Operator");
    }

    @Test
    void idsAndTitlesAreUniqueAndNoTwoPanelsOverlap() {
        Set<Integer> ids = new HashSet<>();
        Set<String> titles = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (var panel : dashboard.path("panels")) {
            var title = panel.path("title").asText();
            assertThat(ids.add(panel.path("id").asInt())).as("id of " + title).isTrue();
            if (!panel.path("type").asText().equals("row")) {
                assertThat(titles.add(title)).as("title " + title).isTrue();
            }
            var place = panel.path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt())
                    .as(title)
                    .isLessThanOrEqualTo(24);
            for (int x = 0; x < place.path("w").asInt(); x++) {
                for (int y = 0; y < place.path("h").asInt(); y++) {
                    var cell = (place.path("x").asInt() + x) + ","
                            + (place.path("y").asInt() + y);
                    assertThat(cells.add(cell)).as(title + " at " + cell).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("panels")
    void aPanelHasTitleDescriptionUnitAndDataSource(LoadedPanel panel) {
        var json = panel.json();
        assertThat(panel.title()).isNotBlank();
        assertThat(json.path("description").asText()).isNotBlank().endsWith(".");
        assertThat(json.path("fieldConfig").path("defaults").path("unit").asText())
                .isIn(UNITS);
        assertThat(json.path("type").asText()).isIn("timeseries", "stat", "state-timeline");
        assertThat(json.path("datasource").path("type").asText()).isEqualTo("prometheus");
        assertThat(json.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
        assertThat(json.has("options")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("panels")
    void aQueryHasALegendASelectionAndGrafanasInterval(LoadedPanel panel) {
        var targets = panel.json().path("targets");
        assertThat(targets).isNotEmpty();
        Set<String> references = new HashSet<>();
        for (var target : targets) {
            assertThat(references.add(target.path("refId").asText())).isTrue();
            assertThat(target.path("legendFormat").asText()).isNotBlank();
            assertThat(target.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
            var query = target.path("expr").asText();
            if (PromQl.labels(query).contains("djob")) {
                assertThat(query).contains("djob=~\"$djob\"");
            }
            PromQl.ranges(query).forEach(range -> assertThat(range).isIn("rate $__rate_interval", "increase $__range"));
            assertThat(query).doesNotContain("irate");
        }
    }
}
