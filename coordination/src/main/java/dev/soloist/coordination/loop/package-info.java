/**
 * Background work: one loop that survives what its step throws, and the arithmetic of waiting. What a step does and when it is safe to repeat is the step's own business.
 */
@NullMarked
package dev.soloist.coordination.loop;

import org.jspecify.annotations.NullMarked;
