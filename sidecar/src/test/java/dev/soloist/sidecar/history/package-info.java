/**
 * Real sidecars as processes of their own, with apps, an operator's part and a real Redis, under a schedule of faults that a seed
 * chooses; what happened is recorded and checked. The same seed gives the same schedule, not the same moments of every thread.
 */
@NullMarked
package dev.soloist.sidecar.history;

import org.jspecify.annotations.NullMarked;
