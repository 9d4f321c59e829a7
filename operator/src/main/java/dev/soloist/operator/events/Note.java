package dev.soloist.operator.events;

/// What an event says.
///
/// @param reason stable word in CamelCase
/// @param text for people
public record Note(Kind kind, String reason, String text) {

    /// How it is shown.
    public enum Kind {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        String type() {
            return type;
        }
    }

    public static Note normal(String reason, String text) {
        return new Note(Kind.NORMAL, reason, text);
    }

    public static Note warning(String reason, String text) {
        return new Note(Kind.WARNING, reason, text);
    }
}
