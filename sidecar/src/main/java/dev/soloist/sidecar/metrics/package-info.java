/**
 * Meters with bounded labels, and the HTTP server for scrapes and probes on the pod's address.
 * Never asks Redis: what it shows is what the loops last saw.
 */
@NullMarked
package dev.soloist.sidecar.metrics;

import org.jspecify.annotations.NullMarked;
