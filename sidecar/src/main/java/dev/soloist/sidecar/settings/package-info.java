/**
 * The environment of the container as typed settings.
 * Reads variables only; the files they point to belong to others.
 */
@NullMarked
package dev.soloist.sidecar.settings;

import org.jspecify.annotations.NullMarked;
