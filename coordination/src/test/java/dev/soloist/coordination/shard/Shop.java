package dev.soloist.coordination.shard;

import static dev.soloist.coordination.shard.Jobs.MAILS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.store.CoordinationStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A job's shards on a real server, with short ways to fill them and to look into each of them. */
final class Shop implements AutoCloseable {

    static final Duration MINUTE = Duration.ofMinutes(1);

    final RedisLink link;
    final CoordinationStore store;

    Shop(RedisLink link) {
        this.link = link;
        this.store = new CoordinationStore(link, Install.MAIN);
        store.gate().look();
    }

    /** The layout after a definition asked for so many shards. */
    Layout arrange(int shards, long generation) {
        return store.arrange(Jobs.sharded(shards, generation));
    }

    DelayedQueue queue(Layout layout) {
        return store.queue(MAILS, layout, () -> QueueLimits.DEFAULT);
    }

    Shard shard(int number) {
        return store.shard(MAILS, number, () -> QueueLimits.DEFAULT);
    }

    /** An instance that takes part in all shards. */
    InstanceId member(Layout layout) {
        var instance = InstanceId.create("pod");
        for (int number = 0; number < layout.active(); number++) {
            assertThat(store.enrol(MAILS, layout, shard(number), instance, "pod", MINUTE))
                    .isInstanceOf(Enrolment.Enrolled.class);
        }
        return instance;
    }

    static NewTask task(String id, When when, OnDuplicate policy, String request) {
        return new NewTask(
                TaskId.of(id),
                Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"),
                when,
                request,
                policy);
    }

    static NewTask task(String id, When when) {
        return task(id, when, OnDuplicate.REJECT, Nonce.create().value());
    }

    static void accepted(Enqueue answer, Enqueue.Outcome outcome) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Enqueue.Accepted.class,
                        accepted -> assertThat(accepted.outcome()).isEqualTo(outcome));
    }

    static void refused(Enqueue answer, Enqueue.Reason reason) {
        assertThat(answer).isEqualTo(new Enqueue.Refused(reason));
    }

    static Reservation.Reserved reserve(DelayedQueue queue, InstanceId me, int max) {
        var answer = queue.reserve(me, new ReserveRequest(Nonce.create(), max, MINUTE, 5));
        assertThat(answer).isInstanceOf(Reservation.Reserved.class);
        return (Reservation.Reserved) answer;
    }

    /** In which shards a task of the id is recorded. */
    List<Integer> whereabouts(String id) {
        return IntStream.range(0, 12)
                .filter(number -> link.call("HEXISTS", tasks(number), id).contains(1L))
                .boxed()
                .toList();
    }

    String tasks(int number) {
        return store.keys().ofShard(number).tasks(MAILS);
    }

    /** The first ids of which a home by one count is another by the other. */
    static List<String> idsThatMove(int before, int after, int wanted) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "t" + i)
                .filter(id -> Homes.of(TaskId.of(id), before) != Homes.of(TaskId.of(id), after))
                .limit(wanted)
                .toList();
    }

    @Override
    public void close() {
        link.close();
    }
}
