package dev.soloist.operator.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The entry of local mode. Exit codes: 0 all promises were kept, 1 one was broken, 2 it could not begin.
@Command(
        name = "demo",
        description = "Runs DistributedJobs on this machine with a real Redis and three pods of two processes each.")
public final class LocalMain implements Callable<Integer> {

    private static final int BROKEN = 1;
    private static final int NOT_BEGUN = 2;

    /// Read by picocli.
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--help", usageHelp = true, description = "Show this text.")
    private boolean help;

    @Option(
            names = "--manifests",
            paramLabel = "FOLDER",
            description = "Manifests to apply; can be given more than once. Default: ${DEFAULT-VALUE}",
            defaultValue = "examples/01-singleton,examples/02-delayed",
            split = ",")
    private List<Path> manifests = List.of();

    @Option(
            names = "--app",
            paramLabel = "FILE",
            description = "Source of the app. Default: ${DEFAULT-VALUE}",
            defaultValue = "examples/apps/java/App.java")
    private Path app = Path.of("");

    @Option(
            names = "--sidecar",
            paramLabel = "FOLDER",
            description = "Where the sidecar was built. Default: ${DEFAULT-VALUE}",
            defaultValue = "sidecar/target")
    private Path sidecar = Path.of("");

    @Option(
            names = "--scratch",
            paramLabel = "FOLDER",
            description =
                    "Where to make the folder for logs, tokens and classes. Default: the system's temporary folder",
            defaultValue = "")
    private String scratch = "";

    @Option(
            names = "--script",
            paramLabel = "NAME",
            description = "failover: kill the holder of the lease once and end. Default: the variable DEMO_SCRIPT",
            defaultValue = "${env:DEMO_SCRIPT}")
    private String script = "";

    @Option(
            names = "--seconds",
            description = "How long it may take at most. Default: 60 for a script, 600 on a terminal, else 30")
    private long seconds;

    @Option(
            names = "--failover-within",
            paramLabel = "SECONDS",
            description = "How long after the death of a holder the next run may begin, on a busy machine longer."
                    + " Default: ${DEFAULT-VALUE}",
            defaultValue = "5")
    private long failoverWithin;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LocalMain()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        var timeline = new Timeline(System.out);
        try {
            var url = System.getenv().getOrDefault("REDIS_URL", "");
            var settings = new DemoSettings(manifests, app, sidecar, url, Duration.ofSeconds(failoverWithin), scratch);
            return new Demo(settings, script(), timeline).run() ? 0 : BROKEN;
        } catch (IOException | NoRedis | IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return NOT_BEGUN;
        }
    }

    private Script script() {
        return switch (script) {
            case "failover" -> new Failover(time(60));
            case "", "${env:DEMO_SCRIPT}" -> {
                var keyboard = Keyboard.open();
                yield new FreePlay(keyboard, time(keyboard.isTerminal() ? 600 : 30));
            }
            default -> throw new IllegalArgumentException("there is no script '" + script + "': only failover");
        };
    }

    private Duration time(long otherwise) {
        return Duration.ofSeconds(seconds > 0 ? seconds : otherwise);
    }
}
