/// Watches injected pods: tells them which jobs they take part in, and takes from those that are seen to have ended
/// what the living need. A pod that merely vanished, or whose node is silent, loses nothing before its leases end.
@NullMarked
package dev.soloist.operator.pods;

import org.jspecify.annotations.NullMarked;
