package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.DelayedQueue;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of all shards as one list, the latest first. What is passed over has to be read, for no shard knows how many
 * of the letters before are in another; it is read a piece at a time and not kept. Thread-safe.
 */
final class DeadList {

    /** Some seconds of reading in the worst case; whoever wants those behind takes some away first. */
    static final int FURTHEST = 10_000;

    private static final int AHEAD = 1024;
    private static final int MOST_AT_ONCE = 100;

    private final List<Shard> shards;

    DeadList(List<Shard> shards) {
        this.shards = shards;
    }

    /**
     * One page.
     *
     * @throws IllegalArgumentException if more than {@link #FURTHEST} are to be passed over
     */
    List<DeadTask> page(int skip, int max) {
        if (skip > FURTHEST) {
            throw new IllegalArgumentException("at most " + FURTHEST + " can be passed over, not " + skip);
        }
        int piece = Math.clamp(skip + (long) max, 1, Math.min(MOST_AT_ONCE, AHEAD / shards.size()));
        var heads = new PriorityQueue<>(
                Comparator.comparing(Head::diedAt).reversed().thenComparingInt(head -> head.rest.number));
        for (int i = 0; i < shards.size(); i++) {
            advance(new Rest(i, shards.get(i).queue(), piece), heads);
        }
        var page = new ArrayList<DeadTask>();
        for (int passed = 0; page.size() < max && !heads.isEmpty(); passed++) {
            var head = heads.remove();
            if (passed >= skip) {
                page.add(head.letter());
            }
            if (page.size() < max) {
                advance(head.rest(), heads);
            }
        }
        return List.copyOf(page);
    }

    private static void advance(Rest rest, PriorityQueue<Head> heads) {
        var next = rest.next();
        if (next != null) {
            heads.add(new Head(next, rest));
        }
    }

    /** The latest letter of a shard that was not passed, and what is behind it. */
    private record Head(DeadTask letter, Rest rest) {
        Instant diedAt() {
            return letter.diedAt();
        }
    }

    /** What is still to be read of one shard. */
    private static final class Rest {

        private final int number;
        private final DelayedQueue queue;
        private final int piece;
        private final Deque<DeadTask> ahead = new ArrayDeque<>();
        private int read;

        Rest(int number, DelayedQueue queue, int piece) {
            this.number = number;
            this.queue = queue;
            this.piece = piece;
        }

        @Nullable
        DeadTask next() {
            if (ahead.isEmpty()) {
                ahead.addAll(queue.dead(read, piece));
                read += ahead.size();
            }
            return ahead.poll();
        }
    }
}
