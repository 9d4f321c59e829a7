/**
 * The call to the app: one POST per run or delivery, what its answer means, and the DELETE that cancels.
 * Holds no lease; whoever calls must have checked that its own is still good.
 */
@NullMarked
package dev.soloist.sidecar.trigger;

import org.jspecify.annotations.NullMarked;
