package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for something, and again every second, until it is so: what one asks of them may get lost, be refused for a
 * moment or be undone when the machine stands still. If it never comes about, the error tells what the servers say.
 */
final class Persistence {

    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int LINES = 12;
    private static final int TRIES = 4;

    private final Supplier<String> state;

    /** What may fail. */
    interface Asking {
        void ask() throws Exception;
    }

    /** @param state of all servers, for the error */
    Persistence(Supplier<String> state) {
        this.state = state;
    }

    /** Waits for a fact that comes about by itself. */
    void await(String fact, Callable<Boolean> isSo) {
        bring(fact, isSo, () -> {});
    }

    /** Asks until it is so; what is so already is not asked for. */
    void bring(String fact, Callable<Boolean> isSo, Asking asking) {
        var last = new AtomicReference<@Nullable Throwable>();
        var asked = new AtomicReference<@Nullable Long>();
        try {
            Awaitility.await()
                    .atMost(BOUND)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(30))
                    .until(() -> {
                        try {
                            if (isSo.call()) {
                                return true;
                            }
                            Long before = asked.get();
                            if (before == null || System.nanoTime() - before > AGAIN.toNanos()) {
                                asking.ask();
                                asked.set(System.nanoTime());
                            }
                        } catch (Exception e) {
                            last.set(e);
                        }
                        return false;
                    });
        } catch (ConditionTimeoutException e) {
            var late = new AssertionError("not within " + BOUND + ": " + fact + "\n" + state.get(), last.get());
            late.addSuppressed(e);
            throw late;
        }
    }

    /** A connected link; the caller closes it. */
    RedisLink connected(RedisSettings settings) {
        RedisLink link = RedisLink.open(settings);
        try {
            return RedisProcess.connected(link);
        } catch (RuntimeException e) {
            link.close();
            throw new AssertionError(e.getMessage() + "\n" + state.get(), e);
        }
    }

    /** Starts a server, or, if that fails, say because somebody took its port, another in its place. */
    static RedisProcess started(RedisProcess first, Supplier<RedisProcess> another) {
        RedisProcess server = first;
        for (int tries = 1; ; tries++) {
            try {
                return server.start();
            } catch (RuntimeException e) {
                String log = server.log();
                server.close();
                if (tries == TRIES) {
                    throw new IllegalStateException("no server could be started, the last one said\n    " + log, e);
                }
                server = another.get();
            }
        }
    }

    /** What a server answers, or why it does not. */
    static String answer(Callable<?> question) {
        try {
            return String.valueOf(question.call()).strip();
        } catch (Exception e) {
            return e.toString();
        }
    }

    /** The end of a log. */
    static String lastLines(Path log) {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n    ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
