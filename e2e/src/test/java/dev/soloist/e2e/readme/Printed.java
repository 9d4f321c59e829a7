package dev.soloist.e2e.readme;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a README says that a command prints. {@code …} stands for anything; fences, ids of events, UUIDs and instants are samples, for
 * which the reader gets values of his own; white space does not count. Without a {@code …} it is all that is printed.
 */
public final class Printed {

    private static final Pattern PIECE = Pattern.compile("(?<any>…)|(?<space>\\s+)|(?<fence>[0-9]{10}-[0-9]{16})"
            + "|(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?<event>[0-9]{13}-[0-9]+)"
            + "|(?<instant>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)");
    private static final Map<String, String> SHAPES = Map.of(
            "fence", "([0-9]{10}-[0-9]{16})",
            "uuid", "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
            "event", "([0-9]{13}-[0-9]+)",
            "instant", "([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)");

    private final Pattern pattern;
    private final List<String> samples;

    private Printed(Pattern pattern, List<String> samples) {
        this.pattern = pattern;
        this.samples = samples;
    }

    /** Understands the text of a README. */
    public static Printed of(String text) {
        var regex = new StringBuilder();
        var samples = new ArrayList<String>();
        var pieces = PIECE.matcher(text);
        int end = 0;
        while (pieces.find()) {
            regex.append(Pattern.quote(text.substring(end, pieces.start())));
            end = pieces.end();
            if (pieces.group("any") != null) {
                regex.append(".*?");
            } else if (pieces.group("space") != null) {
                regex.append("\\s*");
            } else {
                var shape = SHAPES.keySet().stream()
                        .filter(name -> pieces.group(name) != null)
                        .findFirst()
                        .orElseThrow();
                regex.append(SHAPES.get(shape));
                samples.add(pieces.group());
            }
        }
        regex.append(Pattern.quote(text.substring(end)));
        var all = text.contains("…") ? regex.toString() : "\\A\\s*" + regex + "\\s*\\z";
        return new Printed(Pattern.compile(all, Pattern.DOTALL), List.copyOf(samples));
    }

    /** Whether the output is what was said; then the reader's own value for each sample. */
    public Optional<Map<String, String>> in(String output) {
        var match = pattern.matcher(output);
        if (!match.find()) {
            return Optional.empty();
        }
        var own = new LinkedHashMap<String, String>();
        for (int i = 0; i < samples.size(); i++) {
            own.put(samples.get(i), match.group(i + 1));
        }
        return Optional.of(own);
    }
}
