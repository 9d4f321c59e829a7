/**
 * Leases that the app of this pod asks for. Promises nothing between two calls of the app: what is not renewed by it ends,
 * and nothing is kept here, so a restart of the sidecar loses none.
 */
@NullMarked
package dev.soloist.sidecar.lease;

import org.jspecify.annotations.NullMarked;
