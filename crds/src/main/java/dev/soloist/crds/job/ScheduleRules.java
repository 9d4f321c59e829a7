package dev.soloist.crds.job;

import dev.soloist.crds.Findings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/// The rules of [ScheduleCel] in Java.
final class ScheduleRules {

    private static final Pattern ZONE_PREFIX = Pattern.compile(CronShape.ZONE_PREFIX);
    private static final Pattern ZONE = Pattern.compile(CronShape.ZONE);
    private static final Pattern MINUTE = Pattern.compile(CronShape.MINUTE);
    private static final Pattern HOUR = Pattern.compile(CronShape.HOUR);
    private static final Pattern DAY_OF_MONTH = Pattern.compile(CronShape.DAY_OF_MONTH);
    private static final Pattern MONTH = Pattern.compile(CronShape.MONTH);
    private static final Pattern DAY_OF_WEEK = Pattern.compile(CronShape.DAY_OF_WEEK);
    private static final Pattern NUMBER_RANGE = Pattern.compile(CronShape.NUMBER_RANGE);
    private static final Pattern NAME_RANGE = Pattern.compile(CronShape.NAME_RANGE);

    private ScheduleRules() {}

    static void check(Findings found, String field, Schedule schedule) {
        found.rule(field, (schedule.every() == null) != (schedule.cron() == null), ScheduleSentences.EVERY_XOR_CRON);
        var every = found.duration(field + ".every", schedule.every(), ScheduleSentences.EVERY);
        found.rule(
                field + ".every",
                every == null || every.compareTo(Duration.ofSeconds(1)) >= 0,
                ScheduleSentences.EVERY_MIN);
        if (schedule.cron() != null) {
            cron(found, field + ".cron", schedule.cron());
        }
        zone(found, field, schedule);
    }

    private static void cron(Findings found, String field, String cron) {
        found.longest(field, cron, JobLimits.CRON_LENGTH);
        if (ZONE_PREFIX.matcher(cron).find()) {
            found.rule(field, false, ScheduleSentences.ZONE_IN_CRON);
            return;
        }
        if (cron.startsWith("@")) {
            found.rule(field, false, ScheduleSentences.NICKNAME);
            return;
        }
        var fields = cron.split(" ", -1);
        found.rule(field, rises(fields), ScheduleSentences.RISING);
        if (fields.length != 5) {
            found.rule(field, false, ScheduleSentences.FIVE_FIELDS);
            return;
        }
        found.rule(field, MINUTE.matcher(fields[0]).matches(), ScheduleSentences.MINUTE);
        found.rule(field, HOUR.matcher(fields[1]).matches(), ScheduleSentences.HOUR);
        found.rule(field, DAY_OF_MONTH.matcher(fields[2]).matches(), ScheduleSentences.DAY_OF_MONTH);
        found.rule(field, MONTH.matcher(fields[3]).matches(), ScheduleSentences.MONTH);
        found.rule(field, DAY_OF_WEEK.matcher(fields[4]).matches(), ScheduleSentences.DAY_OF_WEEK);
    }

    private static boolean rises(String[] fields) {
        return Arrays.stream(fields)
                .flatMap(field -> Arrays.stream(field.split(",", -1)))
                .allMatch(item -> numbersRise(item) && namesRise(item));
    }

    private static boolean numbersRise(String item) {
        if (!NUMBER_RANGE.matcher(item).matches()) {
            return true;
        }
        var ends = item.split("[-/]", -1);
        return Integer.parseInt(ends[0]) <= Integer.parseInt(ends[1]);
    }

    private static boolean namesRise(String item) {
        if (!NAME_RANGE.matcher(item).matches()) {
            return true;
        }
        var upper = item.toUpperCase(Locale.ROOT);
        var last = CronShape.NAMES.indexOf(upper.substring(4, 7));
        return last < 0 || CronShape.NAMES.indexOf(upper.substring(0, 3)) <= last;
    }

    private static void zone(Findings found, String field, Schedule schedule) {
        var zone = schedule.timeZone();
        if (zone == null) {
            return;
        }
        found.longest(field + ".timeZone", zone, JobLimits.ZONE_LENGTH);
        found.rule(
                field + ".timeZone",
                schedule.cron() != null || schedule.every() == null,
                ScheduleSentences.ZONE_WITHOUT_CRON);
        var looksLikeOne = !zone.equals("Local") && ZONE.matcher(zone).matches();
        found.rule(field + ".timeZone", looksLikeOne, ScheduleSentences.ZONE);
        found.rule(field, !looksLikeOne || ZoneId.getAvailableZoneIds().contains(zone), ScheduleSentences.ZONE);
    }
}
