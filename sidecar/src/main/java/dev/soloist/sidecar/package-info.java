/**
 * The sidecar process: assembles the parts, starts them in order and ends them in reverse within the pod's grace.
 * Decides nothing about runs or tasks and never takes the app down: without Redis it listens, answers 503 and reconnects.
 */
@NullMarked
package dev.soloist.sidecar;

import org.jspecify.annotations.NullMarked;
