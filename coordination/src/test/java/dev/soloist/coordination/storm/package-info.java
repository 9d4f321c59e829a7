/**
 * Many holders, pods, watchdogs and an operator whose calls are lost, doubled or late, that freeze and die, all on one thread: dice
 * with a seed choose who is next, so that a run can be had again. Time is that of a real Redis, so moments of expiry may differ.
 */
@NullMarked
package dev.soloist.coordination.storm;

import org.jspecify.annotations.NullMarked;
