package dev.soloist.sidecar.delayed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys of which Redis has said that nothing can free them before a certain moment: their work was handled, and its window is not
 * over. Only these are answered from here. A key whose task lives, is dead or may be cancelled is always Redis' to judge, and what is
 * not known here is never taken for free. So a loss of this memory costs round trips and nothing else. The end is counted on the
 * monotonic clock from before the call that told it, hence never late. Bounded by weight. Thread-safe.
 */
final class KnownDuplicates {

    /** About so many bytes at most: the sidecar lives in a pod of somebody else. */
    private static final long MOST_BYTES = 512 * 1024;

    /** What an entry takes beside its texts, roughly. */
    private static final int ENTRY_BYTES = 200;

    private record Known(TaskId by, Instant dueAt, Duration until, Instant redisNow) {}

    private final Cache<TaskId, Known> settled;

    KnownDuplicates() {
        this(Ticker.systemTicker());
    }

    KnownDuplicates(Ticker ticker) {
        this.settled = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((TaskId key, Known known) ->
                        ENTRY_BYTES + key.bytes().length + known.by().bytes().length)
                .expireAfter(Expiry.creating((TaskId key, Known known) -> known.until()))
                .executor(Runnable::run)
                .ticker(ticker)
                .build();
    }

    /** The answer that Redis would give; empty when only Redis can say. */
    Optional<Enqueue.Accepted> answer(NewTask task) {
        @Nullable
        Known known =
                task.once() == null ? null : settled.getIfPresent(task.once().key());
        return Optional.ofNullable(known)
                .map(one -> new Enqueue.Accepted(
                        Enqueue.Outcome.DUPLICATE,
                        one.dueAt(),
                        false,
                        one.redisNow(),
                        new Enqueue.Taken(one.by(), one.redisNow().plus(one.until()))));
    }

    /**
     * Remembers an answer if it cannot change any more.
     *
     * @param took since before the call was sent
     */
    void learn(NewTask task, Enqueue answer, Duration took) {
        if (task.once() != null
                && answer
                        instanceof
                        Enqueue.Accepted(var _, var dueAt, var _, var now, Enqueue.Taken(TaskId by, Instant until))
                && until != null) {
            var left = Duration.between(now, until).minus(took);
            if (left.isPositive()) {
                settled.put(task.once().key(), new Known(by, dueAt, left, now));
            }
        }
    }

    /** What Redis has said may not hold any more: its data may be lost. */
    void forget() {
        settled.invalidateAll();
    }
}
