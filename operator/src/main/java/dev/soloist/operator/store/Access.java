package dev.soloist.operator.store;

/// Whether a namespace's sidecars can reach the store.
public sealed interface Access {

    /// They have a user, and a Secret that tells it.
    record Granted() implements Access {}

    /// They have not.
    ///
    /// @param reason stable word for a condition
    /// @param message for people: what was refused, and what to change
    record Refused(String reason, String message) implements Access {}
}
