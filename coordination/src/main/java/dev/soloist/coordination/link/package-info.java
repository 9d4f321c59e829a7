/**
 * The only place that knows Lettuce: one connection that reconnects for ever and refuses commands meanwhile. It never repeats a command by itself; a repeat is the caller's decision.
 */
@NullMarked
package dev.soloist.coordination.link;

import org.jspecify.annotations.NullMarked;
