/**
 * Singleton runs: claim, trigger, heartbeat, finish, and the watchdog that works without an operator.
 * At most one valid lease holder at a time; a holder that is frozen longer than its lease may act late, which only the fence shows.
 */
@NullMarked
package dev.soloist.sidecar.singleton;

import org.jspecify.annotations.NullMarked;
