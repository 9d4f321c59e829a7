package dev.soloist.sidecar;

import java.util.Locale;

/** Sets up the small log backend. Of effect only before the first logger is made. */
final class LogLevel {

    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private LogLevel() {}

    static void set(String level) {
        put("defaultLogLevel", level.toLowerCase(Locale.ROOT));
        put("showDateTime", "true");
        put("dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        put("showShortLogName", "true");
        put("log.io.netty", "warn");
        put("log.io.lettuce", "warn");
        put("log.reactor", "warn");
    }

    private static void put(String name, String value) {
        System.setProperty(PREFIX + name, System.getProperty(PREFIX + name, value));
    }
}
