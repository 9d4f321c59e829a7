/**
 * Everything that is kept in one Redis, reached over one link. Decides nothing about jobs.
 */
@NullMarked
package dev.soloist.coordination.store;

import org.jspecify.annotations.NullMarked;
