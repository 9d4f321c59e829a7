package dev.soloist.operator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each `in-X.yaml` of the data directory is a pod as it comes, `out-X.yaml` the pod as it must be stored. Start with
 * `-Dsoloist.rewrite=true` to write the expected files anew, and read the difference.
 */
class PodPatchTest {

    private static final Path DATA = Path.of("src/test/resources/injection");
    static final InjectionSettings SETTINGS =
            new InjectionSettings("example.test/soloist-sidecar:1", "IfNotPresent", "main");

    @TestFactory
    Stream<DynamicTest> everyPodBecomesWhatItsFileSays() throws IOException {
        return inputs().map(in -> DynamicTest.dynamicTest(in.getFileName().toString(), () -> {
            var patched = inject(read(in));

            var expected = DATA.resolve(in.getFileName().toString().replace("in-", "out-"));
            if (Boolean.getBoolean("soloist.rewrite")) {
                Files.writeString(expected, Serialization.asYaml(patched));
            }
            assertThat(patched).isEqualTo(read(expected));
        }));
    }

    @TestFactory
    Stream<DynamicTest> i03_aSecondPatchOfTheSamePodIsEmpty() throws IOException {
        return inputs().map(in -> DynamicTest.dynamicTest(in.getFileName().toString(), () -> {
            var once = inject(read(in));

            assertThat(inject(once)).isEqualTo(once);
        }));
    }

    @TestFactory
    Stream<DynamicTest> i05_whatTheUserWroteIsStillThereByteForByte() throws IOException {
        return inputs().map(in -> DynamicTest.dynamicTest(in.getFileName().toString(), () -> {
            var before = read(in);
            var after = inject(before);

            assertKept(before, after, "");
        }));
    }

    @Test
    void noExpectedFileIsLeftOver() throws IOException {
        var names = new HashSet<String>();
        try (var files = Files.list(DATA)) {
            files.forEach(file -> names.add(file.getFileName().toString().replaceFirst("^(in|out)-", "")));
        }
        try (var files = Files.list(DATA)) {
            assertThat(files.count()).isEqualTo(2L * names.size());
        }
    }

    private static void assertKept(JsonNode before, JsonNode after, String where) {
        if (before.isObject()) {
            before.properties()
                    .forEach(entry ->
                            assertKept(entry.getValue(), after.path(entry.getKey()), where + "/" + entry.getKey()));
        } else if (before.isArray()) {
            // Elements may be added at the front (init containers) or the end, never between or instead.
            var offset = after.size() - before.size();
            var atFront = where.endsWith("/initContainers") ? offset : 0;
            for (int i = 0; i < before.size(); i++) {
                assertKept(before.get(i), after.path(i + atFront), where + "/" + i);
            }
        } else {
            assertThat(after).as(where).isEqualTo(before);
        }
    }

    private static JsonNode inject(JsonNode pod) {
        var view = new PodView(pod);
        return switch (InjectionDecision.of(view, SETTINGS)) {
            case InjectionDecision.Inject(var options, var _) ->
                JsonAdd.apply(pod, PodPatch.inject(view, options, SETTINGS));
            case InjectionDecision.Skip(var reason) ->
                reason.label()
                        .map(label -> JsonAdd.apply(pod, PodPatch.label(view, label)))
                        .orElse(pod);
            case InjectionDecision.Refuse(var sentences) -> throw new AssertionError(sentences.toString());
        };
    }

    private static Stream<Path> inputs() throws IOException {
        try (var files = Files.list(DATA)) {
            return files.filter(file -> file.getFileName().toString().startsWith("in-")).sorted().toList().stream();
        }
    }

    static JsonNode read(Path file) {
        try {
            return Serialization.unmarshal(Files.readString(file), JsonNode.class);
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }
}
