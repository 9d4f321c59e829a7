package dev.soloist.operator.injection;

/// Told of every answer of the webhook; must not throw.
@FunctionalInterface
public interface WebhookObserver {

    /// Counts one answer.
    ///
    /// @param result injected, unchanged, skipped, refused or error
    /// @param nanos from the request's arrival to the answer
    void answered(String result, long nanos);
}
