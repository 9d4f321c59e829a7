/**
 * When a write counts: as soon as the primary has it, or once replicas have it, too. Says what was asked for and what came of it; waits for nobody itself.
 */
@NullMarked
package dev.soloist.coordination.durability;

import org.jspecify.annotations.NullMarked;
