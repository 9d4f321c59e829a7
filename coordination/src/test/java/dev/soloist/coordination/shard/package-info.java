/** Tests of tasks spread over several shards. They speak of real servers, on one of which or on three the shards lie. */
@NullMarked
package dev.soloist.coordination.shard;

import org.jspecify.annotations.NullMarked;
