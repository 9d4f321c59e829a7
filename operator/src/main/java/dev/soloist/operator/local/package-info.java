/// Soloist on one machine, without a cluster: a real Redis, and pods that are a sample app and a sidecar as processes.
///
/// Promises that everything it started is ended and removed, however it ends, and that it exits with 0 only if what it
/// shows did happen. Does not decide anything about jobs: it feeds the operator's own core with manifests from files
/// and with the ends of processes.
@NullMarked
package dev.soloist.operator.local;

import org.jspecify.annotations.NullMarked;
