package dev.soloist.coordination.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** The wall clock of a process of its own, off by some time that may change while it runs. Needs a C compiler and Linux. */
public final class FakeClock {

    private static final Path LIBRARY = compile();

    private final Path offset;

    /** A clock that is ahead by the given time, or behind by a negative one. */
    public FakeClock(Duration ahead) {
        try {
            offset = Files.createTempFile("clock", ".offset");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        step(ahead);
    }

    /** Sets how far the clock is ahead of the true one, at once. */
    public void step(Duration ahead) {
        var bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(ahead.toNanos()).flip();
        // Written in place, for the process has mapped this very file.
        try (var file = FileChannel.open(offset, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the process must be started with. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", LIBRARY.toString(), "FAKE_CLOCK", offset.toString());
    }

    private static Path compile() {
        try (InputStream source = FakeClock.class.getResourceAsStream("clock.c")) {
            Path folder = Files.createTempDirectory("clock");
            Path library = folder.resolve("clock.so");
            Files.copy(source, folder.resolve("clock.c"));
            Process compiler = new ProcessBuilder(
                            "cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), "clock.c", "-ldl")
                    .directory(folder.toFile())
                    .inheritIO()
                    .start();
            if (compiler.waitFor() != 0) {
                throw new IllegalStateException("clock.c does not compile here");
            }
            return library;
        } catch (IOException e) {
            if ("true".equals(System.getenv("CI"))) {
                throw new UncheckedIOException(e);
            }
            return Assumptions.abort("clocks cannot be stepped here: there is no C compiler (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
