package dev.soloist.crds;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as Go writes them: `300ms`, `30s`, `5m`, `1h30m`, `1.5h`, in the order h, m, s, ms. Resolution is one
/// millisecond.
///
/// The same regular expression stands in the CEL rules, so a text that the API server admits is read here, and the
/// other way round.
public final class GoDuration {

    /// Shape of a duration. The empty text and zero have this shape too: [#NOT_ZERO] excludes them.
    public static final String SHAPE = "^([0-9]{1,5}([.][0-9]{1,3})?h)?([0-9]{1,6}([.][0-9]{1,3})?m)?"
            + "([0-9]{1,6}([.][0-9]{1,3})?s)?([0-9]{1,6}ms)?$";

    /// Found in every duration that is not zero.
    public static final String NOT_ZERO = "[1-9]";

    /// The longest text of a duration in a spec, in characters.
    public static final int MAX_LENGTH = 32;

    private static final Pattern WHOLE = Pattern.compile(SHAPE);
    private static final Pattern ANY_DIGIT = Pattern.compile(NOT_ZERO);
    private static final Pattern PART = Pattern.compile("([0-9.]+)(h|ms|m|s)");

    private GoDuration() {}

    /// Whether the text is a duration longer than zero.
    public static boolean isPositive(String text) {
        return WHOLE.matcher(text).matches() && ANY_DIGIT.matcher(text).find();
    }

    /// Reads a positive duration.
    ///
    /// @throws IllegalArgumentException if [#isPositive(String)] says no
    public static Duration parse(String text) {
        if (!isPositive(text)) {
            throw new IllegalArgumentException("not a positive duration such as 30s, 5m or 1h30m: " + text);
        }
        var millis = BigDecimal.ZERO;
        var part = PART.matcher(text);
        while (part.find()) {
            millis = millis.add(new BigDecimal(part.group(1)).multiply(unit(part.group(2))));
        }
        return Duration.ofMillis(millis.longValue());
    }

    /// Writes a duration in the shortest form that [#parse(String)] reads back; zero is `0s`, a fraction of a
    /// millisecond is dropped.
    public static String format(Duration duration) {
        var text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static BigDecimal unit(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "h" -> 3_600_000L;
                    case "m" -> 60_000L;
                    case "s" -> 1_000L;
                    default -> 1L;
                });
    }
}
