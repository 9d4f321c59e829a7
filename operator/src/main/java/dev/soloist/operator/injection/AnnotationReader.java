package dev.soloist.operator.injection;

import dev.soloist.crds.Annotations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads a pod's annotations and gathers every mistake in them, each as a sentence that names its key, so that one
/// refusal tells all.
final class AnnotationReader {

    private static final Pattern IMAGE = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,511}");
    private static final Pattern QUANTITY = Pattern.compile("[0-9]{1,9}([.][0-9]{1,3})?(m|k|M|G|Ki|Mi|Gi)?");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final Set<String> LEVELS = Set.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR");
    private static final String OURS = "soloist.dev/";
    private static final Set<String> KNOWN = Set.of(
            Annotations.INJECT,
            Annotations.SIDECAR_CPU,
            Annotations.SIDECAR_MEMORY,
            Annotations.SIDECAR_IMAGE,
            Annotations.SIDECAR_LOG_LEVEL,
            Annotations.API_PORT,
            Annotations.METRICS_PORT,
            Annotations.NATIVE_SIDECAR);

    private final Map<String, String> annotations;
    private final List<String> mistakes = new ArrayList<>();

    AnnotationReader(Map<String, String> annotations) {
        this.annotations = annotations;
    }

    List<String> mistakes() {
        return List.copyOf(mistakes);
    }

    /// A key under our prefix that we do not know is most likely a typing error: worth a word, not worth a pod.
    List<String> warnings() {
        return annotations.keySet().stream()
                .filter(key -> key.startsWith(OURS) && !KNOWN.contains(key))
                .sorted()
                .map(key -> "annotation " + key + " is unknown to Soloist and has no effect")
                .toList();
    }

    boolean names(String key) {
        return annotations.containsKey(key);
    }

    String image(String key, String otherwise) {
        return matching(key, otherwise, IMAGE, "an image reference without spaces");
    }

    String quantity(String key, String otherwise) {
        var text = matching(key, otherwise, QUANTITY, "a Kubernetes quantity such as 50m or 128Mi");
        if (!text.matches(".*[1-9].*")) {
            mistakes.add(sentence(key, text, "more than zero"));
            return otherwise;
        }
        return text;
    }

    String logLevel(String key, String otherwise) {
        var text = annotations.getOrDefault(key, otherwise).toUpperCase(Locale.ROOT);
        if (LEVELS.contains(text)) {
            return text;
        }
        mistakes.add(sentence(key, text, "one of TRACE, DEBUG, INFO, WARN, ERROR"));
        return otherwise;
    }

    int port(String key, int otherwise) {
        var text = matching(key, String.valueOf(otherwise), PORT, "a port from 1024 to 65535");
        var port = Integer.parseInt(text);
        if (port >= 1024 && port <= 65535) {
            return port;
        }
        mistakes.add(sentence(key, text, "a port from 1024 to 65535"));
        return otherwise;
    }

    boolean flag(String key, boolean otherwise) {
        var text = annotations.getOrDefault(key, String.valueOf(otherwise));
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> {
                mistakes.add(sentence(key, text, "\"true\" or \"false\""));
                yield otherwise;
            }
        };
    }

    private String matching(String key, String otherwise, Pattern shape, String expected) {
        var text = annotations.get(key);
        if (text == null || shape.matcher(text).matches()) {
            return text == null ? otherwise : text;
        }
        mistakes.add(sentence(key, text, expected));
        return otherwise;
    }

    private static String sentence(String key, String text, String expected) {
        var shown = text.length() > 60 ? text.substring(0, 60) + "…" : text;
        return "annotation " + key + " is \"" + shown + "\" but must be " + expected;
    }
}
