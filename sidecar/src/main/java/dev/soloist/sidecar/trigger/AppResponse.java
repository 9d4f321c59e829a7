package dev.soloist.sidecar.trigger;

import java.util.Map;

/** What became of one call to the app. */
public sealed interface AppResponse {

    /**
     * A whole response came.
     *
     * @param headers by lower-case name
     * @param text the beginning of the body, for messages
     */
    record Answered(int status, Map<String, String> headers, String text) implements AppResponse {}

    /** Nobody listens on the port: the app never saw the call. */
    record Refused() implements AppResponse {}

    /** The connection broke after the call was sent, or the answer is no HTTP: the app may still be at work. */
    record Broken(String reason) implements AppResponse {}

    /** No whole response within the time: the app may still be at work. */
    record TimedOut() implements AppResponse {}

    /** We cut the call off ourselves: the app may still be at work. */
    record Aborted() implements AppResponse {}
}
