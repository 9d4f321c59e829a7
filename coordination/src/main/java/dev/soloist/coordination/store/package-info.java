/**
 * Everything that is kept in one Redis, reached over one link, and the reader of the mounted files that say how to reach
 * it. Decides nothing about jobs.
 */
@NullMarked
package dev.soloist.coordination.store;

import org.jspecify.annotations.NullMarked;
