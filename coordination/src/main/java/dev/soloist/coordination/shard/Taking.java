package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.Receipt;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What concerns tasks in their holders' hands, whose receipts name the shard that they are of. Thread-safe. */
final class Taking {

    private static final char AFTER_SHARD = '!';

    private final List<Shard> shards;

    Taking(List<Shard> shards) {
        this.shards = shards;
    }

    /** From the first shard that has something, beginning with another for each nonce: its repeat meets the same ones. */
    Reservation reserve(InstanceId instance, ReserveRequest request) {
        int first = Math.floorMod(request.nonce().value().hashCode(), shards.size());
        @Nullable Reservation empty = null;
        @Nullable RedisUnavailable away = null;
        for (int i = 0; i < shards.size(); i++) {
            var shard = shards.get((first + i) % shards.size());
            try {
                var answer = shard.queue().reserve(instance, request);
                if (!(answer instanceof Reservation.Reserved reserved)) {
                    return answer;
                }
                if (!reserved.tasks().isEmpty() || reserved.more()) {
                    return of(shard, reserved);
                }
                empty = answer;
            } catch (RedisUnavailable unavailable) {
                if (unavailable.kind() != RedisUnavailable.Kind.REFUSED) {
                    // What it may have done is to be had by a repeat of the nonce, before anything else is taken.
                    throw unavailable;
                }
                away = unavailable;
            }
        }
        if (empty == null) {
            throw away == null ? new IllegalStateException("there is no shard") : away;
        }
        return empty;
    }

    private static Reservation of(Shard shard, Reservation.Reserved reserved) {
        return new Reservation.Reserved(
                reserved.tasks().stream()
                        .map(task -> new ReservedTask(
                                task.id(),
                                task.payload(),
                                new Receipt(shard.number() + "" + AFTER_SHARD + task.receipt()),
                                task.attempt(),
                                task.dueAt(),
                                task.enqueuedAt()))
                        .toList(),
                reserved.more(),
                reserved.redisNow());
    }

    Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return shardOf(held)
                .map(shard -> shard.queue().extend(ownOf(held), visibility, durability))
                .orElseGet(() -> Acknowledged.of(new Extension.Stale()));
    }

    Acknowledged<Ack> ack(Held held, Durability durability) {
        return shardOf(held)
                .map(shard -> shard.queue().ack(ownOf(held), durability))
                .orElseGet(() -> Acknowledged.of(Ack.STALE));
    }

    List<Ack> ack(List<Held> held) {
        Map<Shard, List<Integer>> byShard = new HashMap<>();
        var answers = new ArrayList<Ack>(held.size());
        for (int i = 0; i < held.size(); i++) {
            int place = i;
            answers.add(Ack.STALE);
            shardOf(held.get(i))
                    .ifPresent(shard -> byShard.computeIfAbsent(shard, _ -> new ArrayList<>())
                            .add(place));
        }
        @Nullable RedisUnavailable away = null;
        for (var one : byShard.entrySet()) {
            var places = one.getValue();
            try {
                var told = one.getKey()
                        .queue()
                        .ack(places.stream().map(held::get).map(Taking::ownOf).toList());
                for (int i = 0; i < places.size(); i++) {
                    answers.set(places.get(i), told.get(i));
                }
            } catch (RedisUnavailable unanswered) {
                away = unanswered;
            }
        }
        if (away != null) {
            throw away;
        }
        return List.copyOf(answers);
    }

    GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        var own = new GiveBack(ownOf(back.held()), back.mode(), back.delay(), back.error());
        return shardOf(back.held())
                .map(shard -> shard.queue().giveBack(instance, own, maxAttempts))
                .orElse(GivenBack.STALE);
    }

    /** Empty for a receipt of a shard that is gone: it was gone only when nothing was held there. */
    private Optional<Shard> shardOf(Held held) {
        String receipt = held.receipt().value();
        int end = receipt.indexOf(AFTER_SHARD);
        // One from before there were several shards names none.
        int number = end < 0 ? 0 : Integer.parseInt(receipt.substring(0, end));
        return number < shards.size() ? Optional.of(shards.get(number)) : Optional.empty();
    }

    private static Held ownOf(Held held) {
        String receipt = held.receipt().value();
        return new Held(held.id(), new Receipt(receipt.substring(receipt.indexOf(AFTER_SHARD) + 1)));
    }
}
