package dev.soloist.operator.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// The processes we start. All of them are ended at [#close()]; and should we be killed so that nothing of ours
/// can run, a small shell, which reads from us what lives, sees the pipe end and kills it, and removes the
/// folder. Thread-safe.
final class Children implements AutoCloseable {

    /// Reads `+pid`, `-pid`, and `done`; kills what is left when the pipe ends without `done`.
    private static final String GUARD = """
            pids=''
            while read -r word; do
              case $word in
                done) exit 0 ;;
                +*) pids="$pids ${word#+}" ;;
                -*) left=''; for pid in $pids; do [ "$pid" = "${word#-}" ] || left="$left $pid"; done; pids=$left ;;
              esac
            done
            for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
            rm -rf "$1"
            """;

    private final Set<Process> living = ConcurrentHashMap.newKeySet();
    private boolean closing;
    private final Process guard;
    private final Writer toGuard;

    private Children(Process guard) {
        this.guard = guard;
        this.toGuard = guard.outputWriter(StandardCharsets.US_ASCII);
    }

    /// @param folder what the guard removes if we cannot
    static Children guardedBy(Path folder) throws IOException {
        // Ctrl-C on a terminal reaches the guard too, and it must outlive us.
        var command = List.of("sh", "-c", "trap '' INT HUP; " + GUARD, "guard", folder.toString());
        return new Children(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /// Starts a process that writes to the log.
    Process start(List<String> command, Map<String, String> environment, Path log) throws IOException {
        return start(command, environment, log, ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    /// Starts a process whose output the caller reads; its errors go to the log.
    Process startTalking(List<String> command, Map<String, String> environment, Path log) throws IOException {
        return start(command, environment, log, ProcessBuilder.Redirect.PIPE);
    }

    private Process start(
            List<String> command, Map<String, String> environment, Path log, ProcessBuilder.Redirect output)
            throws IOException {
        var builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectOutput(output);
        builder.environment().putAll(environment);
        Process process;
        synchronized (living) {
            if (closing) {
                throw new IOException("the end has begun, nothing more is started");
            }
            process = builder.start();
            living.add(process);
        }
        tell("+" + process.pid());
        var _ = process.onExit().thenAccept(ended -> {
            living.remove(ended);
            tell("-" + ended.pid());
        });
        return process;
    }

    /// Ends all: asks first, and kills what is still there after five seconds.
    @Override
    public void close() {
        synchronized (living) {
            closing = true;
        }
        living.forEach(Process::destroy);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        try {
            for (var process : living) {
                process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            living.forEach(Process::destroyForcibly);
            tell("done");
            guard.waitFor(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            living.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String word) {
        synchronized (toGuard) {
            try {
                toGuard.write(word + "\n");
                toGuard.flush();
            } catch (IOException e) {
                if (!word.equals("done") && !word.startsWith("-")) {
                    throw new UncheckedIOException("the guard of the processes is gone", e);
                }
            }
        }
    }
}
