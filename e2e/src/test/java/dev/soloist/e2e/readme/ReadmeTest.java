package dev.soloist.e2e.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadmeTest {

    @Test
    @DisplayName("A command ends with what it prints, with an empty line, or with its block")
    void commandsAreFoundInTheirOrder() {
        var readme = Readme.of("""
                # Title

                ```sh
                apply this
                wait for it
                ```

                No command: `get that`, and none here:

                ```yaml
                kind: Job
                ```

                ```bash
                pod=$(some)

                show "$pod"
                # 1
                #   2
                f() { # not a comment
                  body
                }
                ```
                """);

        assertThat(readme.commands())
                .containsExactly(
                        new Readme.Command(1, "apply this\nwait for it", ""),
                        new Readme.Command(2, "pod=$(some)", ""),
                        new Readme.Command(2, "show \"$pod\"", "1\n  2"),
                        new Readme.Command(2, "f() { # not a comment\n  body\n}", ""));
        assertThat(readme.variables()).containsExactly("pod");
    }

    @Test
    @DisplayName("Dots stand for anything, white space for none, samples for values of their shape")
    void whatIsPrintedIsCompared() {
        var printed =
                Printed.of("201 {\"fence\":\"0000000000-1767225600123456\",…,\n  \"at\":\"2026-03-01T12:00:01.004Z\"}");

        assertThat(printed.in(
                        "201 {\"fence\":\"0000000003-1796021751286738\",\"x\":1,\"at\":\"2031-01-01T00:00:00Z\"}\n"))
                .contains(Map.of(
                        "0000000000-1767225600123456",
                        "0000000003-1796021751286738",
                        "2026-03-01T12:00:01.004Z",
                        "2031-01-01T00:00:00Z"));
        assertThat(printed.in(
                        "409 {\"fence\":\"0000000003-1796021751286738\",\"x\":1,\"at\":\"2031-01-01T00:00:00Z\"}"))
                .isEmpty();
        assertThat(printed.in("201 {\"fence\":\"none\",\"x\":1,\"at\":\"2031-01-01T00:00:00Z\"}"))
                .isEmpty();
    }

    @Test
    @DisplayName("Without dots it is all that is printed")
    void withoutDotsItIsAll() {
        assertThat(Printed.of("3").in("3\n")).isPresent();
        assertThat(Printed.of("3").in("13\n")).isEmpty();
        assertThat(Printed.of("3 …").in("13\n")).isPresent();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("folders")
    @DisplayName("The commands of each example are well-formed, and most say what they print")
    void theExamplesCanBeRead(String folder) throws Exception {
        var readme = Readme.of(Files.readString(EXAMPLES.resolve(folder).resolve("README.md")));

        assertThat(readme.commands()).hasSizeGreaterThan(3);
        assertThat(readme.commands())
                .filteredOn(command -> !command.printed().isEmpty())
                .hasSizeGreaterThan(1);
        for (var command : readme.commands()) {
            assertThat(complaints(command.text())).as(command.text()).isEmpty();
        }
    }

    static final Path EXAMPLES = Path.of("..", "examples");

    static List<String> folders() throws IOException {
        try (var folders = Files.list(EXAMPLES)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.matches("1[0-7]-.*"))
                    .sorted()
                    .toList();
        }
    }

    /** What the shell says of the text without running it. */
    private static String complaints(String text) throws IOException, InterruptedException {
        var shell = new ProcessBuilder("bash", "-n", "-c", text)
                .redirectErrorStream(true)
                .start();
        var said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
