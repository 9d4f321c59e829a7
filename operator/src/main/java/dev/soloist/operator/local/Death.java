package dev.soloist.operator.local;

import java.time.Instant;

/// A pod whose app was seen to end before its time, by Redis' time.
///
/// @param wholePod whether the pod ended as a whole, which is proof of death; an app alone may keep the lease to its
/// end
record Death(String pod, Instant at, boolean wholePod) {}
