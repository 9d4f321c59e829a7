package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.instance.Instances;

/**
 * One of the queues that a job's tasks are spread over. Thread-safe.
 *
 * @param number from 0
 * @param queue of the shard
 * @param merging the same queue, in which nothing is recorded that is not there: enqueueing answers FULL instead
 * @param instances that take part in it
 */
public record Shard(int number, DelayedQueue queue, DelayedQueue merging, Instances instances) {}
