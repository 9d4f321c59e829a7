/**
 * Delayed tasks: the pod's own segment, its mover, delivery to the app, acknowledgement, sweep and adoption.
 * Delivers at least once and never before the due time by Redis' clock; offers no bound on lateness while Redis is away.
 */
@NullMarked
package dev.soloist.sidecar.delayed;

import org.jspecify.annotations.NullMarked;
