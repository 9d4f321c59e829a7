package dev.soloist.sidecar.api;

import java.util.Locale;

/** Content types of requests. Pure. */
final class MediaTypes {

    private MediaTypes() {}

    /** Whether a header says JSON, in UTF-8 if it says anything about that. */
    static boolean isJson(String contentType) {
        var parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals("application/json")) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            var parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }
}
