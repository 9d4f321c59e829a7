/**
 * Names: of jobs, instances and calls, and of every key in Redis, in one place. Nothing here talks to Redis.
 */
@NullMarked
package dev.soloist.coordination.key;

import org.jspecify.annotations.NullMarked;
