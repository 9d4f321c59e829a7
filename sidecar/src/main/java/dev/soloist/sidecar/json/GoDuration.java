package dev.soloist.sidecar.json;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 1h30m}, {@code 1.5s}, {@code 250ms}, {@code 0}. Never negative here. */
public final class GoDuration {

    private static final Pattern WHOLE =
            Pattern.compile("(?:\\d{1,18}(?:\\.\\d{1,9})?(?:ns|us|µs|μs|ms|s|m|h)){1,8}|0");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|μs|ms|s|m|h)");

    private GoDuration() {}

    /** The duration, or empty when the text is none or exceeds what {@link Duration} can hold in nanoseconds. */
    public static Optional<Duration> parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        var nanos = BigDecimal.ZERO;
        var parts = PART.matcher(text);
        while (parts.find()) {
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(nanosPer(parts.group(2))));
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(nanos.longValue()));
    }

    /** The duration in whole seconds where it is one, else in milliseconds, cut off and never rounded up. */
    public static String write(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private static BigDecimal nanosPer(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "ns" -> 1L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 1_000L;
                });
    }
}
