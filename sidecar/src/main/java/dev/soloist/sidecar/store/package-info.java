/**
 * The connection to the store that the mounted files name, replaced when they change.
 * Never gives up and never blocks the start; what a lost connection means for a lease is decided elsewhere.
 */
@NullMarked
package dev.soloist.sidecar.store;

import org.jspecify.annotations.NullMarked;
