package dev.soloist.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*[a-z0-9](?:Test|IT|E2E))(?:#(\\w+))?`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Map<String, List<Path>> TESTS = tests();

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    @DisplayName("Each test that a document names exists, and has the method that it names")
    void eachNamedTestExists(Path document) throws IOException {
        var missing = new ArrayList<String>();
        var names = TEST.matcher(Files.readString(ROOT.resolve(document)));
        while (names.find()) {
            if (!exists(names.group(1), names.group(2))) {
                missing.add(names.group());
            }
        }
        assertThat(missing).as("tests named in %s", document).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    @DisplayName("Each link within the repository leads somewhere")
    void eachLinkLeadsSomewhere(Path document) throws IOException {
        var missing = new ArrayList<String>();
        var links = LINK.matcher(Files.readString(ROOT.resolve(document)));
        while (links.find()) {
            var target = links.group(1);
            if (!target.contains(":") && !Files.exists(ROOT.resolve(document).resolveSibling(target))) {
                missing.add(target);
            }
        }
        assertThat(missing).as("links of %s", document).isEmpty();
    }

    @Test
    @DisplayName("The guarantees name a test for every primitive")
    void everyPrimitiveHasATest() throws IOException {
        var text = Files.readString(ROOT.resolve("docs/guarantees.md"));
        var sections = Stream.of(text.split("(?m)^## "))
                .filter(section -> section.contains("| question | answer |"))
                .toList();
        assertThat(sections).hasSizeGreaterThanOrEqualTo(9).allSatisfy(section -> {
            assertThat(section.lines().filter(line -> line.startsWith("| "))).hasSize(8);
            var tests = section.lines().filter(line -> line.startsWith("| Which test shows it?"));
            assertThat(tests).singleElement().matches(line -> TEST.matcher(line).find());
        });
    }

    static List<Path> documents() {
        return markdown().toList();
    }

    private static Stream<Path> markdown() {
        return files().filter(file -> file.toString().endsWith(".md"));
    }

    private static boolean exists(String name, @Nullable String method) {
        return TESTS.getOrDefault(name, List.of()).stream()
                .anyMatch(file -> method == null || read(file).contains("void " + method + "("));
    }

    private static Map<String, List<Path>> tests() {
        var tests = new HashMap<String, List<Path>>();
        files().filter(file -> file.toString().contains("src/test/java")
                        && file.toString().endsWith(".java"))
                .forEach(file -> {
                    var name = String.valueOf(file.getFileName());
                    tests.computeIfAbsent(name.substring(0, name.length() - 5), _ -> new ArrayList<>())
                            .add(file);
                });
        return tests;
    }

    /** Files of the repository, without what was built and what tools keep. */
    private static Stream<Path> files() {
        try (var files = Files.walk(ROOT)) {
            return files
                    .map(ROOT::relativize)
                    .filter(file -> Stream.of("target", ".git").noneMatch(folder -> contains(file, folder)))
                    .filter(file -> Files.isRegularFile(ROOT.resolve(file)))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean contains(Path file, String folder) {
        for (var part : file) {
            if (part.toString().equals(folder)) {
                return true;
            }
        }
        return false;
    }

    private static String read(Path file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
