/// Probes and metrics over HTTP, read-only. Liveness never depends on Redis or on informers: a restart would help
/// neither.
@NullMarked
package dev.soloist.operator.health;

import org.jspecify.annotations.NullMarked;
