package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Moved;
import dev.soloist.coordination.delayed.Purged;
import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.Repaired;
import dev.soloist.coordination.delayed.Swept;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What concerns all tasks: done in one shard after another, of which each has its turn to be the first. Thread-safe. */
final class Tending {

    private static final String AFTER_SHARD = "/";

    private final List<Shard> shards;
    private final AtomicInteger turns = new AtomicInteger();

    Tending(List<Shard> shards) {
        this.shards = shards;
    }

    /** Makes due tasks of one segment of a queue ready, at most so many. */
    @FunctionalInterface
    interface Moving {
        Moved move(DelayedQueue queue, int max);
    }

    Moved move(int max, Moving moving) {
        int first = turns.getAndIncrement();
        int room = max;
        @Nullable Instant next = null;
        @Nullable Instant now = null;
        @Nullable RedisUnavailable away = null;
        for (int i = 0; i < shards.size() && room > 0; i++) {
            try {
                var moved = moving.move(
                        shards.get(Math.floorMod(first + i, shards.size())).queue(), room);
                room -= moved.count();
                next = earlier(next, moved.nextHead());
                now = moved.redisNow();
            } catch (RedisUnavailable unavailable) {
                away = unavailable;
            }
        }
        if (now == null) {
            throw Objects.requireNonNull(away);
        }
        return new Moved(max - room, next, now);
    }

    Swept sweep(Function<DelayedQueue, Swept> sweeping) {
        return each(sweeping).stream()
                .reduce((a, b) -> new Swept(
                        a.delayed() + b.delayed(),
                        a.dead() + b.dead(),
                        a.cancelled() + b.cancelled(),
                        a.dropped() + b.dropped(),
                        a.more() || b.more(),
                        earlier(a.nextDue(), b.nextDue()),
                        b.redisNow()))
                .orElseThrow();
    }

    /** The streams of all shards as one, if they have any. */
    Optional<TaskStream> stream() {
        var parts = shards.stream()
                .flatMap(shard -> shard.queue().stream().stream())
                .toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(TaskStream.over(parts));
    }

    Purged purge(Function<DelayedQueue, Purged> purging) {
        return each(purging).stream()
                .reduce((a, b) -> new Purged(a.finished() + b.finished(), a.dead() + b.dead()))
                .orElseThrow();
    }

    /** One shard's walk after another's: the cursor names the shard as well. */
    Repaired repair(Repair step) {
        int slash = step.cursor().indexOf(AFTER_SHARD);
        int number = slash < 0 ? 0 : Integer.parseInt(step.cursor().substring(0, slash));
        if (number >= shards.size()) {
            return new Repaired(with(step, Repair.Phase.FINISHED, "0"), 0, 0, 0, 0, 0, 0);
        }
        var shard = shards.get(number);
        var own = with(step, step.phase(), step.cursor().substring(slash + 1))
                .owning(shard.instances().segments());
        var done = shard.queue().repair(own);
        boolean over = done.next().isFinished();
        boolean last = over && number == shards.size() - 1;
        Repair next = over
                ? with(step, last ? Repair.Phase.FINISHED : Repair.Phase.HELD, number + 1 + AFTER_SHARD + "0")
                : with(
                        step,
                        done.next().phase(),
                        number + AFTER_SHARD + done.next().cursor());
        return new Repaired(
                next,
                done.deadlines(),
                done.deadLetters(),
                done.orphans(),
                done.hints(),
                done.reindexed(),
                done.retentions());
    }

    private static Repair with(Repair step, Repair.Phase phase, String cursor) {
        return new Repair(phase, cursor, step.visibility(), step.overdue(), step.owned());
    }

    QueueCounts counts() {
        return shards.stream()
                .map(shard -> shard.queue().counts(shard.instances().segments()))
                .reduce((a, b) -> new QueueCounts(
                        a.pending() + b.pending(),
                        a.ready() + b.ready(),
                        a.inFlight() + b.inFlight(),
                        a.dead() + b.dead(),
                        longer(a.oldestOverdue(), b.oldestOverdue())))
                .orElseThrow();
    }

    /** Whatever happens in one shard, the others have their turn; what happened is told then. */
    private <T> List<T> each(Function<DelayedQueue, T> call) {
        var answers = new ArrayList<T>(shards.size());
        @Nullable RedisUnavailable away = null;
        for (var shard : shards) {
            try {
                answers.add(call.apply(shard.queue()));
            } catch (RedisUnavailable unavailable) {
                away = unavailable;
            }
        }
        if (away != null) {
            throw away;
        }
        return answers;
    }

    private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isBefore(b) ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
