/**
 * Which jobs this pod takes part in, as the operator registered it, and one worker for each.
 * Learns of changes by pub/sub with a slow poll behind; between the two it may act on an older definition.
 */
@NullMarked
package dev.soloist.sidecar.jobs;

import org.jspecify.annotations.NullMarked;
