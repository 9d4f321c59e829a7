package dev.soloist.coordination.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The document says what the code does; where they differ, the message holds the text that belongs into the document. */
class WireFormatTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/dev/soloist/coordination");
    private static final String DOCUMENT = read(Path.of("../docs/wire-format.md"));
    private static final Pattern FIELD = Pattern.compile("-- (\\w+): (.*)");
    private static final Pattern RECORD_FIELD =
            Pattern.compile("redis\\.call\\('HM?SET', rec, ([^\\n]*(?:\\n  [^\\n]*)*)");

    static List<String> scripts() {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .map(file -> SCRIPTS.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void theContractOfEachScriptIsInTheDocument(String script) {
        Map<String, String> header = header(script);
        assertThat(sections()).containsKey(script);
        assertThat(sections().get(script)).isEqualTo("""
                        %s

                        - KEYS: %s
                        - ARGV: %s
                        - Returns: %s
                        - Repeat: %s""".formatted(
                        header.get("Purpose"),
                        header.get("KEYS"),
                        header.get("ARGV"),
                        header.get("Returns"),
                        header.get("Repeat")));
    }

    @Test
    void theDocumentTellsOfNoOtherScript() {
        assertThat(sections().keySet()).containsExactlyElementsOf(scripts());
    }

    @Test
    void eachKeyAndChannelIsInTheDocument() throws ReflectiveOperationException {
        var keys = new RedisKeys(Install.MAIN);
        var job = new JobId("ns", "job");
        var instance = new InstanceId("uid-aaaaaa");
        var names = new ArrayList<String>();
        for (var method : RedisKeys.class.getMethods()) {
            if (method.getDeclaringClass() != RedisKeys.class
                    || method.getReturnType() != String.class
                    || java.lang.reflect.Modifier.isStatic(method.getModifiers())
                    || method.getName().startsWith("pattern")) {
                continue;
            }
            var arguments = Stream.of(method.getParameterTypes())
                    .map(type -> type == JobId.class
                            ? job
                            : type == InstanceId.class
                                    ? instance
                                    : type == int.class ? (Object) 1 : type == byte[].class ? new byte[] {1} : "ns")
                    .toArray();
            names.add((String) method.invoke(keys, arguments));
        }
        assertThat(names)
                .hasSizeGreaterThan(25)
                .allSatisfy(name -> assertThat(DOCUMENT)
                        .as(name)
                        .contains(
                                name.startsWith("soloist:main:{ns/job/0}:")
                                        ? "`" + kind(name)
                                        : name.startsWith("soloist:main:{ns/job}:")
                                                        || name.startsWith("soloist:main:{ns}:")
                                                ? "| `" + kind(name) + "` |"
                                                : "`" + kind(name)));
    }

    /** What the document calls it: what follows the prefix and the tag, with a name for what varies. */
    private static String kind(String name) {
        return name.replaceFirst("^soloist:main:(\\{ns(/job(/0)?)?}:)?", "")
                .replace("uid-aaaaaa", "<instance>")
                .replaceFirst("^c:.+$", "c:")
                .replaceFirst("^d:.*$", "d:<segment>")
                .replaceFirst("^probe:\\{.*$", "probe:{")
                .replaceFirst("^probe:ns$", "probe:<random>");
    }

    @Test
    void eachFieldOfTheRecordIsInTheDocument() {
        var fields = new TreeSet<String>();
        for (String script : scripts()) {
            if (script.startsWith("singleton/")) {
                RECORD_FIELD.matcher(read(SCRIPTS.resolve(script))).results().forEach(match -> {
                    // Field and value in turn: a name stands where a value was before it, or nothing.
                    Pattern.compile("(?:^|, )\\s*'([a-zA-Z]+)',")
                            .matcher(match.group(1).replaceAll("\\s+", " "))
                            .results()
                            .map(field -> field.group(1))
                            .filter(field -> !field.equals(field.toUpperCase(java.util.Locale.ROOT)))
                            .forEach(fields::add);
                });
            }
        }
        assertThat(fields)
                .hasSizeGreaterThan(30)
                .allSatisfy(field -> assertThat(DOCUMENT).containsPattern("(?m)^\\|[^|]*`" + field + "`"));
    }

    @Test
    void theDefinitionInTheDocumentIsRead() {
        String example = DOCUMENT.substring(DOCUMENT.indexOf("```json") + 7);
        var definition = JobDefinitionJson.read(example.substring(0, example.indexOf("```")));
        assertThat(definition.id()).isEqualTo(new JobId("shop", "nightly"));
    }

    private static Map<String, String> sections() {
        var sections = new TreeMap<String, String>();
        for (String section :
                DOCUMENT.substring(DOCUMENT.indexOf("## The scripts")).split("(?m)^### ")) {
            if (section.contains(".lua\n")) {
                int end = section.indexOf('\n');
                sections.put(section.substring(0, end), section.substring(end).strip());
            }
        }
        return sections;
    }

    private static Map<String, String> header(String script) {
        var fields = new TreeMap<String, String>();
        String last = "";
        for (String line : read(SCRIPTS.resolve(script)).lines().toList()) {
            var field = FIELD.matcher(line);
            if (line.startsWith("--   ") && !last.isEmpty()) {
                fields.merge(last, line.substring(5).strip(), (before, more) -> before + " " + more);
            } else if (field.matches()) {
                last = field.group(1);
                fields.put(last, field.group(2).strip());
            } else {
                break;
            }
        }
        return fields;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
