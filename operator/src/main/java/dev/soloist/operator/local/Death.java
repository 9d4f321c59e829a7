package dev.soloist.operator.local;

import java.time.Instant;

/// A pod whose app was seen to end before its time, by Redis' time.
record Death(String pod, Instant at) {}
