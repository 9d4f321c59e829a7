package dev.soloist.coordination.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.job.JobDefinitionJson;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the former version's operator wrote is read, and what this one's writes the former version's sidecar reads. */
class FormerJsonTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The words that the former version knows; it refuses a definition with another one. */
    private static final Map<String, Set<String>> WORDS = Map.of(
            "/policy/release", Set.of("ON_COMPLETION", "HOLD_UNTIL_NEXT_RUN", "HOLD_FOR"),
            "/delayed/onDuplicate", Set.of("REJECT", "KEEP_EARLIEST", "KEEP_LATEST", "REPLACE"));

    @ParameterizedTest
    @ValueSource(strings = {"singleton.json", "delayed.json"})
    void aFormerDefinitionReadAndWrittenAgainHasAllThatItHad(String file) throws Exception {
        String former = FormerVersion.read(file).orElseThrow();
        Map<String, JsonNode> now = values(MAPPER.readTree(JobDefinitionJson.write(JobDefinitionJson.read(former))));
        values(MAPPER.readTree(former)).forEach((path, value) -> {
            assertThat(now).containsKey(path);
            assertThat(now.get(path)).as(path).isEqualTo(value);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"singleton.json", "delayed.json"})
    void fieldsOfANewerVersionArePassedOver(String file) throws Exception {
        String former = FormerVersion.read(file).orElseThrow();
        String newer = former.replaceFirst("\\{", "{\"ofTomorrow\":{\"a\":[1]},")
                .replaceFirst("\"policy\":\\{", "\"policy\":{\"ofTomorrow\":true,");
        assertThat(JobDefinitionJson.read(newer)).isEqualTo(JobDefinitionJson.read(former));
    }

    @ParameterizedTest
    @ValueSource(strings = {"singleton/claim.lua", "delayed/reserve.lua", "instance/adopt.lua", "registration/put.lua"})
    void theFormerVersionHasItsOwnScripts(String file) {
        assertThat(FormerVersion.read(file))
                .hasValueSatisfying(text -> assertThat(text).startsWith("-- Purpose: "));
    }

    @Test
    void wordsThatTheFormerVersionKnowsAreStillTheOnlyOnes() {
        assertThat(WORDS.get("/policy/release"))
                .containsExactlyInAnyOrderElementsOf(names(dev.soloist.coordination.job.ReleasePolicy.values()));
        assertThat(WORDS.get("/delayed/onDuplicate"))
                .containsExactlyInAnyOrderElementsOf(names(dev.soloist.coordination.job.OnDuplicate.values()));
    }

    private static Set<String> names(Enum<?>[] values) {
        return java.util.Arrays.stream(values).map(Enum::name).collect(java.util.stream.Collectors.toSet());
    }

    private static Map<String, JsonNode> values(JsonNode json) {
        var values = new TreeMap<String, JsonNode>();
        collect("", json, values);
        return values;
    }

    private static void collect(String path, JsonNode json, Map<String, JsonNode> values) {
        if (json.isObject()) {
            json.properties().forEach(entry -> collect(path + "/" + entry.getKey(), entry.getValue(), values));
        } else {
            values.put(path, json);
        }
    }
}
