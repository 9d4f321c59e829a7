package dev.soloist.crds;

/// One broken rule of a spec.
///
/// @param field path from the object's root, such as `spec.trigger.port`
/// @param sentence what to change; for rules written in CEL it is the very sentence the API server answers with
public record Violation(String field, String sentence) {

    @Override
    public String toString() {
        return field + ": " + sentence;
    }
}
