/**
 * Messages to every pod of a broadcast job. Promises at most one delivery each; a pod that is away when a message is sent never gets it.
 */
@NullMarked
package dev.soloist.sidecar.broadcast;

import org.jspecify.annotations.NullMarked;
