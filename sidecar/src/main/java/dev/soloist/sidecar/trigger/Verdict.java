package dev.soloist.sidecar.trigger;

import java.time.Duration;

/** What an answer of the app means for the run or the task. Pure. */
public sealed interface Verdict {

    /** 2xx. */
    record Done() implements Verdict {}

    /** The app said no, and is not at work any more. */
    record Failed(String message, Retrying retrying) implements Verdict {}

    /** 429 or 503: not now; the attempt does not count. */
    record GivenBack(Duration retryAfter) implements Verdict {}

    /** Nobody listens: the app never saw the call. */
    record AppAbsent() implements Verdict {}

    /** Whether the app is still at work is not known. */
    record Unclear(String message) implements Verdict {}

    /** What the app says of another attempt. */
    enum Retrying {
        ALLOWED,
        FORBIDDEN
    }

    /** Used when the app names no time, or none that can be read. */
    Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

    /** No app can park its work longer than this by one header. */
    Duration MAX_RETRY_AFTER = Duration.ofMinutes(10);

    /** Judges a response. */
    static Verdict of(AppResponse response) {
        return switch (response) {
            case AppResponse.Answered answered -> of(answered);
            case AppResponse.Refused() -> new AppAbsent();
            case AppResponse.Broken(String reason) -> new Unclear("the connection to the app broke: " + reason);
            case AppResponse.TimedOut() -> new Unclear("the app did not answer in time");
            case AppResponse.Aborted() -> new Unclear("the call was cut off");
        };
    }

    private static Verdict of(AppResponse.Answered answered) {
        int status = answered.status();
        if (status >= 200 && status < 300) {
            return new Done();
        }
        if (status == 429 || status == 503) {
            return new GivenBack(retryAfter(answered.headers().getOrDefault("retry-after", "")));
        }
        var never = status >= 400 && status < 500 && says(answered, "soloist-no-retry");
        return new Failed(message(answered), never ? Retrying.FORBIDDEN : Retrying.ALLOWED);
    }

    private static boolean says(AppResponse.Answered answered, String header) {
        var value = answered.headers().get(header);
        return value != null && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    private static String message(AppResponse.Answered answered) {
        var text = answered.text().strip().replaceAll("\\p{Cntrl}+", " ");
        return text.isEmpty() ? "HTTP " + answered.status() : "HTTP " + answered.status() + ": " + text;
    }

    private static Duration retryAfter(String seconds) {
        try {
            var asked = Duration.ofSeconds(Long.parseLong(seconds.strip()));
            if (asked.isNegative()) {
                return DEFAULT_RETRY_AFTER;
            }
            return asked.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : asked;
        } catch (NumberFormatException dateOrNonsense) {
            return DEFAULT_RETRY_AFTER;
        }
    }
}
