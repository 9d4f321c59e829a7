/**
 * The localhost bearer token that app and sidecar share by a file in a memory volume.
 * Proves that a caller can read that file; it is no secret from the pod itself and none beyond it.
 */
@NullMarked
package dev.soloist.sidecar.token;

import org.jspecify.annotations.NullMarked;
