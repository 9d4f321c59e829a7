/**
 * One job's tasks spread over several queues, each in a slot of its own. An id lives in one shard at a time, also while their
 * number changes; what is done to tasks of two shards is not one step.
 */
@NullMarked
package dev.soloist.coordination.shard;

import org.jspecify.annotations.NullMarked;
