package dev.soloist.coordination.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * A cron expression of five fields in a time zone. A local time that a clock change leaves out runs at the first instant
 * after the gap, several of them together once. A local time that occurs twice runs at the first occurrence when the hour
 * is fixed, and in both passes when the hour is a wildcard, as cron does.
 */
public final class Cron implements Schedule {

    static final String PREFIX = "cron ";

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    /** No gap or overlap of local time is longer; the search starts this much early. */
    private static final Duration LONGEST_SHIFT = Duration.ofHours(3);

    private final String expression;
    private final ZoneId zone;
    private final ExecutionTime times;

    private Cron(String expression, ZoneId zone, ExecutionTime times) {
        this.expression = expression;
        this.zone = zone;
        this.times = times;
    }

    /**
     * A cron schedule.
     *
     * @param expression minute, hour, day of month, month, day of week
     * @param timeZone a name of the IANA time zone database
     * @throws InvalidSchedule if either cannot be read, or the expression has no next time at all
     */
    public static Cron of(String expression, String timeZone) {
        ZoneId zone = zone(timeZone);
        String trimmed = expression.trim().replaceAll("\\s+", " ");
        if (trimmed.startsWith("TZ=") || trimmed.startsWith("CRON_TZ=")) {
            throw new InvalidSchedule("schedule.cron must not carry a zone; put it into schedule.timeZone");
        }
        ExecutionTime times;
        try {
            times = ExecutionTime.forCron(PARSER.parse(trimmed).validate());
        } catch (IllegalArgumentException e) {
            throw new InvalidSchedule(
                    "schedule.cron '" + expression + "' is not a cron expression of five fields: " + e.getMessage());
        }
        var cron = new Cron(trimmed, zone, times);
        if (times.nextExecution(LocalDateTime.of(2026, 1, 1, 0, 0).atZone(ZoneOffset.UTC))
                .isEmpty()) {
            throw new InvalidSchedule("schedule.cron '" + expression + "' never comes true");
        }
        return cron;
    }

    @Override
    public Instant next(Instant slot, Instant now) {
        Instant after = slot.isAfter(now) ? slot : now;
        // The wall clock is walked as if it were UTC, where no local time is missing or doubled.
        LocalDateTime wall = LocalDateTime.ofInstant(after.minus(LONGEST_SHIFT), zone);
        ZoneRules rules = zone.getRules();
        while (true) {
            ZonedDateTime candidate = times.nextExecution(wall.atZone(ZoneOffset.UTC))
                    .orElseThrow(() -> new InvalidSchedule("schedule.cron '" + expression + "' has no next time"));
            wall = candidate.toLocalDateTime();
            Instant first = firstInstantOf(wall, rules);
            if (first.isAfter(after)) {
                return earlierOf(first, after, rules);
            }
        }
    }

    @Override
    public Instant first(Instant now) {
        return next(now, now);
    }

    @Override
    public String text() {
        return PREFIX + zone.getId() + " " + expression;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cron cron && cron.text().equals(text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }

    static Cron parse(String text) {
        String[] parts = text.substring(PREFIX.length()).split(" ", 2);
        if (parts.length != 2) {
            throw new InvalidSchedule("'" + text + "' does not name a zone and an expression");
        }
        return of(parts[1], parts[0]);
    }

    private static Instant firstInstantOf(LocalDateTime wall, ZoneRules rules) {
        ZoneOffsetTransition transition = rules.getTransition(wall);
        if (transition == null) {
            return wall.toInstant(rules.getOffset(wall));
        }
        return transition.isGap() ? transition.getInstant() : wall.toInstant(transition.getOffsetBefore());
    }

    /** While the clock repeats an hour, a wildcard hour fires in the second pass too: look for a slot there. */
    private Instant earlierOf(Instant found, Instant after, ZoneRules rules) {
        ZoneOffsetTransition overlap = rules.previousTransition(found);
        if (overlap == null || !overlap.isOverlap() || !hourIsWildcard()) {
            return found;
        }
        Instant start =
                after.isBefore(overlap.getInstant()) ? overlap.getInstant().minusMillis(1) : after;
        Instant end = overlap.getInstant().plus(overlap.getDuration().negated());
        LocalDateTime wall = LocalDateTime.ofInstant(start, overlap.getOffsetAfter());
        Optional<ZonedDateTime> second = times.nextExecution(wall.atZone(ZoneOffset.UTC));
        return second.map(time -> time.toLocalDateTime().toInstant(overlap.getOffsetAfter()))
                .filter(instant -> instant.isAfter(after) && instant.isBefore(end) && instant.isBefore(found))
                .orElse(found);
    }

    private boolean hourIsWildcard() {
        return expression.split(" ", -1)[1].startsWith("*");
    }

    private static ZoneId zone(String name) {
        try {
            if (!ZoneId.getAvailableZoneIds().contains(name)) {
                throw new InvalidSchedule("schedule.timeZone '" + name + "' is not a zone of the IANA time zone"
                        + " database, such as Europe/Berlin or Etc/UTC");
            }
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new InvalidSchedule("schedule.timeZone '" + name + "' cannot be read: " + e.getMessage());
        }
    }
}
