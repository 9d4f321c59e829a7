package dev.soloist.sidecar.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** Instants on the wire: written in UTC with milliseconds, read with any offset. */
public final class Rfc3339 {

    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern SHAPE =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})");

    private Rfc3339() {}

    /** An instant in UTC with milliseconds, cut off and never rounded up. */
    public static String write(Instant instant) {
        return MILLIS.format(instant.truncatedTo(ChronoUnit.MILLIS));
    }

    /** The instant, or empty when the text is not RFC 3339 or names a day that does not exist. */
    public static Optional<Instant> parse(String text) {
        if (!SHAPE.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text.replace('t', 'T').replace('z', 'Z'))
                    .toInstant());
        } catch (DateTimeException noSuchDay) {
            return Optional.empty();
        }
    }
}
