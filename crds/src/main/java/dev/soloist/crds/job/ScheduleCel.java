package dev.soloist.crds.job;

import dev.soloist.crds.GoDuration;

/// The rules of the schedule in CEL. [ScheduleRules] says the same in Java; a test holds them together.
///
/// A rule about one cron field passes when the whole is not five fields, so that the user reads one sentence per
/// mistake.
final class ScheduleCel {

    private static final String SHAPE = ".matches('" + GoDuration.SHAPE + "')";
    private static final String NOT_ZERO = ".matches('" + GoDuration.NOT_ZERO + "')";
    private static final String SPECIAL =
            "!has(self.cron) || self.cron.matches('" + CronShape.ZONE_PREFIX + "') || self.cron.startsWith('@') || ";
    private static final String FIELD = SPECIAL + "self.cron.split(' ').size() != 5 || self.cron.split(' ')";

    static final String EVERY_XOR_CRON = "has(self.every) != has(self.cron)";
    static final String EVERY = "!has(self.every) || (self.every" + SHAPE + " && self.every" + NOT_ZERO + ")";
    static final String EVERY_MIN = "!has(self.every) || !self.every" + SHAPE + " || !self.every" + NOT_ZERO
            + " || duration(self.every) >= duration('1s')";
    static final String ZONE_IN_CRON = "!has(self.cron) || !self.cron.matches('" + CronShape.ZONE_PREFIX + "')";
    static final String NICKNAME = "!has(self.cron) || !self.cron.startsWith('@')";
    static final String FIVE_FIELDS = SPECIAL + "self.cron.split(' ').size() == 5";
    static final String MINUTE = FIELD + "[0].matches('" + CronShape.MINUTE + "')";
    static final String HOUR = FIELD + "[1].matches('" + CronShape.HOUR + "')";
    static final String DAY_OF_MONTH = FIELD + "[2].matches('" + CronShape.DAY_OF_MONTH + "')";
    static final String MONTH = FIELD + "[3].matches('" + CronShape.MONTH + "')";
    static final String DAY_OF_WEEK = FIELD + "[4].matches('" + CronShape.DAY_OF_WEEK + "')";
    static final String RISING = SPECIAL + "self.cron.split(' ').all(f, f.split(',').all(r, (!r.matches('"
            + CronShape.NUMBER_RANGE
            + "') || int(r.split('/')[0].split('-')[0]) <= int(r.split('/')[0].split('-')[1])) && (!r.matches('"
            + CronShape.NAME_RANGE + "') || '" + CronShape.NAMES + "'.indexOf(r.substring(4, 7).upperAscii()) < 0 || '"
            + CronShape.NAMES + "'.indexOf(r.substring(0, 3).upperAscii()) <= '" + CronShape.NAMES
            + "'.indexOf(r.substring(4, 7).upperAscii()))))";
    static final String ZONE_WITHOUT_CRON = "!has(self.timeZone) || has(self.cron) || !has(self.every)";
    static final String ZONE =
            "!has(self.timeZone) || (self.timeZone != 'Local' && self.timeZone.matches('" + CronShape.ZONE + "'))";

    /// Ends in an error, not in false, for a zone that is not in the database; the server then gives our sentence
    /// after its own words, and names the schedule as the field, whatever `fieldPath` says.
    static final String ZONE_KNOWN = "!has(self.timeZone) || self.timeZone == 'Local' || !self.timeZone.matches('"
            + CronShape.ZONE + "') || timestamp('2026-01-01T00:00:00Z').getFullYear(self.timeZone) > 0";

    private ScheduleCel() {}
}
