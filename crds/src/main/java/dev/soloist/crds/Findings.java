package dev.soloist.crds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collects the broken rules of one object in the way the API server does: what breaks the schema first, in the
/// server's own words, and the sentences of the CEL rules only if the schema is kept, for they would speak of
/// values of the wrong kind.
///
/// Not safe for use by several threads.
public final class Findings {

    private final List<Violation> blocking = new ArrayList<>();
    private final List<Violation> bounds = new ArrayList<>();
    private final List<Violation> rules = new ArrayList<>();

    /// Whether the value is there; if not, notes it.
    public boolean required(String field, @Nullable Object value) {
        if (value == null) {
            blocking.add(new Violation(field, "Required value"));
        }
        return value != null;
    }

    /// A text of at most so many characters.
    public void longest(String field, @Nullable String value, int max) {
        if (value != null && value.codePointCount(0, value.length()) > max) {
            blocking.add(new Violation(field, "Too long: may not be more than " + max + " bytes"));
        }
    }

    /// A map of at most so many entries.
    public void most(String field, int size, int max) {
        if (size > max) {
            blocking.add(new Violation(field, "Too many: " + size + ": must have at most " + max + " items"));
        }
    }

    /// An enum value of this version.
    public void supported(String field, boolean unknown, Set<String> values) {
        if (unknown) {
            var quoted =
                    values.stream().map(value -> '"' + value + '"').sorted().toList();
            blocking.add(new Violation(field, "supported values: " + String.join(", ", quoted)));
        }
    }

    /// A positive duration. Returns it, or null if there is none or it cannot be read; the latter is noted with the
    /// sentence.
    public @Nullable Duration duration(String field, @Nullable String text, String sentence) {
        if (text == null) {
            return null;
        }
        longest(field, text, GoDuration.MAX_LENGTH);
        var readable = GoDuration.isPositive(text);
        rule(field, readable, sentence);
        return readable ? GoDuration.parse(text) : null;
    }

    /// A number between two bounds, both included.
    public void between(String field, @Nullable Integer value, int min, int max) {
        if (value != null && value < min) {
            bounds.add(new Violation(field, field + " in body should be greater than or equal to " + min));
        }
        if (value != null && value > max) {
            bounds.add(new Violation(field, field + " in body should be less than or equal to " + max));
        }
    }

    /// A rule with a sentence of ours.
    public void rule(String field, boolean kept, String sentence) {
        if (!kept) {
            rules.add(new Violation(field, sentence));
        }
    }

    /// All that was found, in the order of finding.
    public List<Violation> all() {
        var all = new ArrayList<>(blocking);
        all.addAll(bounds);
        if (blocking.isEmpty()) {
            all.addAll(rules);
        }
        return List.copyOf(all);
    }
}
