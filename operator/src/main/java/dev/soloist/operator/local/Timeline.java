package dev.soloist.operator.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/// What happens, line by line, with seconds since the start. Thread-safe.
final class Timeline {

    private final PrintStream out;
    private final long start = System.nanoTime();
    private boolean ended;

    Timeline(PrintStream out) {
        this.out = out;
    }

    /// @param about what kind of thing happened, in a word
    void say(String about, String what) {
        double seconds = (System.nanoTime() - start) / 1e9;
        synchronized (out) {
            if (ended) {
                return;
            }
            out.printf(Locale.ROOT, "%6.2f s  %-10s %s%n", seconds, about, what);
            out.flush();
        }
    }

    /// Tells no more of what happens.
    void end() {
        synchronized (out) {
            ended = true;
        }
    }

    /// A line outside of time.
    void plain(String text) {
        synchronized (out) {
            out.println(text);
            out.flush();
        }
    }

    /// Such as `+3 ms` or `-1.2 s`.
    static String offset(Duration difference) {
        long millis = difference.toMillis();
        var sign = millis < 0 ? "-" : "+";
        long size = Math.abs(millis);
        return size < 1000 ? sign + size + " ms" : String.format(Locale.ROOT, "%s%.1f s", sign, size / 1000.0);
    }
}
