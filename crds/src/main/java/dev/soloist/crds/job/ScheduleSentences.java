package dev.soloist.crds.job;

/// What a user reads when a rule of the schedule is broken, from the API server and from Java alike.
final class ScheduleSentences {

    private static final String CRON = "spec.singleton.schedule.cron";
    private static final String LISTS = "; * and lists (1,2), ranges (1-5) and steps (*/2) are understood";

    static final String EVERY_XOR_CRON =
            "set exactly one of spec.singleton.schedule.every and spec.singleton.schedule.cron";
    static final String EVERY = "spec.singleton.schedule.every must be a positive duration such as 30s, 5m or 1h30m,"
            + " in the units h, m, s, ms (for a day write 24h)";
    static final String EVERY_MIN = "spec.singleton.schedule.every must be at least 1s: raise it";
    static final String ZONE_IN_CRON = CRON
            + " must not name a time zone: remove TZ= or CRON_TZ= and write the zone into spec.singleton.schedule.timeZone";
    static final String NICKNAME =
            CRON + " must be five fields, nicknames are not understood: write 0 0 * * * instead of @daily";
    static final String FIVE_FIELDS = CRON + " must have five fields with single spaces:"
            + " minute, hour, day of month, month, day of week, such as 0 2 * * *";
    static final String MINUTE = CRON + ": field 1, the minute, must be of 0 to 59" + LISTS;
    static final String HOUR = CRON + ": field 2, the hour, must be of 0 to 23" + LISTS;
    static final String DAY_OF_MONTH = CRON + ": field 3, the day of month, must be of 1 to 31" + LISTS;
    static final String MONTH = CRON + ": field 4, the month, must be of 1 to 12 or JAN to DEC" + LISTS;
    static final String DAY_OF_WEEK =
            CRON + ": field 5, the day of week, must be of 0 to 7 or SUN to SAT (0 and 7 are Sunday)" + LISTS;
    static final String RISING = CRON + ": a range must rise, such as 1-5 or MON-SUN: write 22-23,0-4 instead of 22-4,"
            + " and FRI-SUN,MON instead of FRI-MON";
    static final String ZONE_WITHOUT_CRON = "spec.singleton.schedule.timeZone belongs to spec.singleton.schedule.cron:"
            + " remove timeZone, or write cron instead of every";
    static final String ZONE = "spec.singleton.schedule.timeZone must be a zone of the IANA database, such as"
            + " Asia/Ho_Chi_Minh or Etc/UTC, not an offset and not the local zone";

    private ScheduleSentences() {}
}
