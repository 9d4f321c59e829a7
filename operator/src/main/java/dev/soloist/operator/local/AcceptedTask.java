package dev.soloist.operator.local;

import java.time.Instant;

/// A task that a sidecar has accepted.
///
/// @param through name of the pod that handed it in
record AcceptedTask(String job, String id, Instant dueAt, String through) {}
