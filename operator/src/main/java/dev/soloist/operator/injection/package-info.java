/// Adds the sidecar to the pods that ask for it: a pure decision, a pure patch of JSON `add` operations, and a thin
/// handler around both.
/// It never reads the cluster or Redis while a pod waits, and never changes or removes anything that a user wrote.
@NullMarked
package dev.soloist.operator.injection;

import org.jspecify.annotations.NullMarked;
