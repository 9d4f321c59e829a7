package dev.soloist.crds.job;

/// Regular expressions of the five cron fields, for CEL (RE2) and Java alike; without backslashes, so that they can
/// stand in CEL texts.
///
/// They check values, lists, ranges and steps, not that a range rises, and not that the whole has a next time (`0 0
/// 30 2 *` has none).
final class CronShape {

    private static final String V_MINUTE = "([0-5]?[0-9])";
    private static final String S_MINUTE = "([1-9]|[1-5][0-9])";
    private static final String V_HOUR = "([01]?[0-9]|2[0-3])";
    private static final String S_HOUR = "([1-9]|1[0-9]|2[0-3])";
    private static final String V_DAY = "(0?[1-9]|[12][0-9]|3[01])";
    private static final String S_DAY = "([1-9]|[12][0-9]|3[01])";
    private static final String V_MONTH = "(0?[1-9]|1[0-2]|(?i:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC))";
    private static final String S_MONTH = "([1-9]|1[0-2])";
    private static final String V_WEEKDAY = "([0-7]|(?i:SUN|MON|TUE|WED|THU|FRI|SAT))";
    private static final String S_WEEKDAY = "([1-7])";

    private static final String I_MINUTE = "([*]|" + V_MINUTE + "(-" + V_MINUTE + ")?)(/" + S_MINUTE + ")?";
    private static final String I_HOUR = "([*]|" + V_HOUR + "(-" + V_HOUR + ")?)(/" + S_HOUR + ")?";
    private static final String I_DAY = "([*]|" + V_DAY + "(-" + V_DAY + ")?)(/" + S_DAY + ")?";
    private static final String I_MONTH = "([*]|" + V_MONTH + "(-" + V_MONTH + ")?)(/" + S_MONTH + ")?";
    private static final String I_WEEKDAY = "([*]|" + V_WEEKDAY + "(-" + V_WEEKDAY + ")?)(/" + S_WEEKDAY + ")?";

    static final String MINUTE = "^" + I_MINUTE + "(," + I_MINUTE + ")*$";
    static final String HOUR = "^" + I_HOUR + "(," + I_HOUR + ")*$";
    static final String DAY_OF_MONTH = "^" + I_DAY + "(," + I_DAY + ")*$";
    static final String MONTH = "^" + I_MONTH + "(," + I_MONTH + ")*$";
    static final String DAY_OF_WEEK = "^" + I_WEEKDAY + "(," + I_WEEKDAY + ")*$";

    /// A range of two numbers.
    static final String NUMBER_RANGE = "^[0-9]{1,3}-[0-9]{1,3}(/[0-9]{1,3})?$";

    /// A range of two names.
    static final String NAME_RANGE = "^[A-Za-z]{3}-[A-Za-z]{3}(/[0-9]{1,3})?$";

    /// The names in the order in which a range of them rises. As in the cron parser, SUN ends the week.
    static final String NAMES = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC MONTUEWEDTHUFRISATSUN";

    /// A time zone in front of the fields.
    static final String ZONE_PREFIX = "^(CRON_)?TZ=";

    /// The look of an IANA zone; excludes the empty text, offsets and `local`. Whether it exists is looked up
    /// elsewhere.
    static final String ZONE = "^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$";

    private CronShape() {}
}
