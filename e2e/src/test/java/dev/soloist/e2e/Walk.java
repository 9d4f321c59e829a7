package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.e2e.readme.Printed;
import dev.soloist.e2e.readme.Readme;
import dev.soloist.e2e.readme.Readme.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.testcontainers.containers.Container.ExecResult;

/**
 * A reader who enters the commands of an example's README one after the other, on the node, in one shell. Each is entered again until it
 * prints what the README says; where nothing is said, until it succeeds. What was tried in vain for some time is tried again together with
 * the command before it, if that stands in the same block and prints nothing of note: as a reader does who came at the wrong moment.
 */
final class Walk {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LOOKS_PER_ACTION = 8;

    private final Cluster cluster;
    private final Readme readme;
    private final String state;
    private final Map<String, String> own = new HashMap<>();
    private int next;

    Walk(Cluster cluster, String folder) {
        this.cluster = cluster;
        this.state = "/tmp/walk-" + folder;
        try {
            this.readme = Readme.of(Files.readString(Path.of("..", "examples", folder, "README.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Enters the next command and returns what it printed. */
    String step() {
        var command = readme.commands().get(next);
        var looks = new AtomicInteger();
        var output = new AtomicReference<>("");
        await(command.text())
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    if (looks.incrementAndGet() % LOOKS_PER_ACTION == 0) {
                        repeatTheActionBefore(command);
                    }
                    ExecResult result = enter(command);
                    output.set(result.getStdout() + result.getStderr());
                    judge(command, result, output.get());
                });
        next++;
        return output.get();
    }

    /** Enters all up to the one that begins so, which is next then. */
    void upTo(String beginning) {
        List<Command> rest = readme.commands().subList(next, readme.commands().size());
        assertThat(rest).extracting(Command::text).anyMatch(text -> text.startsWith(beginning));
        while (!readme.commands().get(next).text().startsWith(beginning)) {
            step();
        }
    }

    /** Enters all that are left. */
    void toTheEnd() {
        while (next < readme.commands().size()) {
            step();
        }
    }

    private void judge(Command command, ExecResult result, String output) {
        if (command.printed().isEmpty()) {
            assertThat(result.getExitCode())
                    .as("%s%nprinted%n%s", command.text(), output)
                    .isZero();
        } else {
            var printed = Printed.of(command.printed());
            var values = printed.in(result.getStdout()).or(() -> printed.in(output));
            assertThat(values)
                    .as("%s%nprinted%n%s%nand not%n%s", command.text(), output, command.printed())
                    .isPresent();
            own.putAll(values.get());
        }
    }

    private void repeatTheActionBefore(Command command) {
        var before = next == 0 ? command : readme.commands().get(next - 1);
        if (before.block() == command.block() && before.printed().isEmpty()) {
            enter(before);
        }
    }

    private ExecResult enter(Command command) {
        String text = command.text();
        for (var sample : own.entrySet()) {
            text = text.replace(sample.getKey(), sample.getValue());
        }
        // Each command has a shell of its own; functions and variables go from one to the next by a file.
        return cluster.exec("bash", "-c", """
                cd /soloist
                walk=%s
                if [[ -f $walk ]]; then . $walk; fi
                trap 'status=$?; set +e; { declare -f; declare -p walk %s; } >$walk 2>/dev/null; exit $status' EXIT
                %s
                %s
                """.formatted(
                state, String.join(" ", readme.variables()), command.printed().isEmpty() ? "set -e" : "", text));
    }
}
