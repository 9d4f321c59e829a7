package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Races that scripts decide in one step and that are several here: what is promised of them holds all the same. */
@ExtendWith(BehindPika.class)
class CasRacesIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final int ROUNDS = 60;

    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link());
        me = q.member();
    }

    @AfterEach
    void close() {
        q.close();
    }

    @Test
    void anEnqueueThatRacesAFenceIsDeliveredOnceAfterItsRepeatUnderTheNextName() throws Exception {
        InstanceId heir = q.member();
        for (int i = 0; i < ROUNDS; i++) {
            InstanceId dying = q.member();
            NewTask task = task(TaskId.of("t" + i), When.after(Duration.ofMillis(2)), OnDuplicate.REJECT, "r" + i);

            List<Object> answers = atOnce(() -> q.queue.enqueue(dying, task), () -> {
                q.instances.fence(dying, new Evidence.Terminated());
                q.instances.adopt(dying, heir);
                return q.instances.drop(heir, dying.value());
            });
            if (answers.getFirst() instanceof Enqueue.Fenced) {
                assertThat(q.queue.enqueue(heir, task)).isInstanceOf(Enqueue.Accepted.class);
            }

            // Sooner than by the look at a lost hint: whoever owns the segments finds it.
            ReservedTask delivered = await().pollInterval(Duration.ofMillis(2))
                    .atMost(Duration.ofSeconds(60))
                    .until(
                            () -> {
                                q.instances.segments(heir).forEach(segment -> q.queue.move(segment, 10));
                                return q.reserve(heir, 5).tasks();
                            },
                            tasks -> !tasks.isEmpty())
                    .getFirst();
            assertThat(delivered.id()).isEqualTo(task.id());
            assertThat(q.queue.ack(delivered.held())).isEqualTo(Ack.ACKED);
        }
        assertThat(q.reserve(heir, 100).tasks()).isEmpty();
    }

    @Test
    void twoMoversOfOneSegmentMayHintTwiceAndEachTaskIsHandedOutOnce() throws Exception {
        for (int i = 0; i < 200; i++) {
            q.enqueue(me, "t" + i, When.after(Duration.ofMillis(1)));
        }
        await().until(() -> q.segment(me).values().stream()
                .allMatch(due -> due < q.link.now().toEpochMilli()));
        Callable<Object> mover = () -> {
            while (q.queue.move(me.value(), 20).count() > 0) {}
            return "done";
        };

        atOnce(mover, mover, mover);

        assertThat(q.list(1)).hasSizeGreaterThanOrEqualTo(200);
        var taken = new ArrayList<TaskId>();
        boolean more = true;
        while (more) {
            Reservation.Reserved reserved = q.reserve(me, 50);
            reserved.tasks().forEach(task -> taken.add(task.id()));
            more = reserved.more();
        }
        assertThat(taken).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void ofManyConsumersEachTaskHasOneHolder() throws Exception {
        for (int i = 0; i < 200; i++) {
            q.enqueue(me, "t" + i, When.now());
            // Every second hint is doubled, so that two go for the same record.
            if (i % 2 == 0) {
                q.link.call("LPUSH", KEYS.readyList(JOB, 1), "1t" + i);
            }
        }
        var taken = new ConcurrentLinkedQueue<ReservedTask>();
        var consumers = new ArrayList<Callable<Object>>();
        for (int i = 0; i < 4; i++) {
            // A queue of its own, as another process has: reservations of one queue object wait for each other.
            var other = new QueueUnderTest(q.link);
            InstanceId instance = q.member();
            consumers.add(() -> {
                boolean more = true;
                while (more) {
                    Reservation.Reserved reserved = other.reserve(instance, Nonce.create(), 3, MINUTE);
                    taken.addAll(reserved.tasks());
                    more = reserved.more();
                }
                return "done";
            });
        }

        atOnce(consumers.toArray(Callable[]::new));

        assertThat(taken.stream().map(ReservedTask::id)).hasSize(200).doesNotHaveDuplicates();
        assertThat(taken).allMatch(task -> q.queue.ack(task.held()) == Ack.ACKED);
    }

    @Test
    void aCancellationThatTidiesUpSparesTheHintOfANewLife() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String id = "t" + i;
            q.enqueue(me, id, MINUTE_AND_MORE);

            List<Object> answers = atOnce(
                    () -> q.queue.cancel(TaskId.of(id)),
                    () -> q.queue.enqueue(me, task(id, When.after(MINUTE), OnDuplicate.REJECT)));

            if (answers.get(1) instanceof Enqueue.Accepted accepted) {
                assertThat(q.segment(me))
                        .containsEntry("1" + id, accepted.dueAt().toEpochMilli());
                assertThat(q.zset(KEYS.taskIndex(JOB))).containsKey(id);
            }
        }
    }

    private static final When MINUTE_AND_MORE = When.after(MINUTE.plusSeconds(1));

    @SafeVarargs
    private static List<Object> atOnce(Callable<Object>... actions) throws Exception {
        var answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Object> each : threads.invokeAll(List.of(actions))) {
                answers.add(each.get());
            }
        }
        return answers;
    }
}
