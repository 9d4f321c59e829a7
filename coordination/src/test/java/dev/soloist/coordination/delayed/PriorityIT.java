package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PriorityIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

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
    void ofDueTasksTheHigherGoFirstWhateverCameEarlier() {
        enqueue(Priority.LOW, 2);
        enqueue(Priority.NORMAL, 2);
        enqueue(Priority.HIGH, 2);

        assertThat(ids(q.reserve(me, 6))).containsExactly("HIGH0", "HIGH1", "NORMAL0", "NORMAL1", "LOW0", "LOW1");
    }

    @Test
    void underAFloodOfEveryLevelEachIsServedInEachEightTurns() {
        for (Priority priority : Priority.values()) {
            enqueue(priority, 90);
            enqueueFrom(priority, 90, 90);
        }
        for (int round = 0; round < 3; round++) {
            Map<String, Long> served = IntStream.range(0, 8)
                    .mapToObj(turn -> ids(q.reserve(me, 5)))
                    .flatMap(List::stream)
                    .collect(
                            Collectors.groupingBy(id -> id.replaceAll("\\d", ""), TreeMap::new, Collectors.counting()));
            assertThat(served).isEqualTo(Map.of("HIGH", 30L, "NORMAL", 5L, "LOW", 5L));
        }
    }

    @Test
    void aDelayedTaskKeepsItsLevel() {
        q.queue.enqueue(me, task("low", Priority.LOW, Duration.ofMillis(20), OnDuplicate.REJECT));
        q.queue.enqueue(me, task("high", Priority.HIGH, Duration.ofMillis(30), OnDuplicate.REJECT));
        var moved = new ArrayList<Integer>();
        await().until(() -> {
            moved.add(q.queue.move(me.value(), 100).count());
            return moved.stream().mapToInt(count -> count).sum() == 2;
        });

        assertThat(ids(q.reserve(me, 2))).containsExactly("high", "low");
    }

    @Test
    void aTaskThatIsTriedAgainOrRequeuedKeepsItsLevel() {
        enqueue(Priority.HIGH, 2);
        for (ReservedTask task : q.reserve(me, 2).tasks()) {
            q.queue.giveBack(
                    me,
                    task.id().text().equals("HIGH0")
                            ? GiveBack.retry(task.held(), Duration.ZERO, "again")
                            : GiveBack.dead(task.held(), "no"),
                    3);
        }
        enqueue(Priority.NORMAL, 1);
        q.queue.requeue(TaskId.of("HIGH1"));

        assertThat(ids(q.reserve(me, 3))).containsExactly("HIGH0", "HIGH1", "NORMAL0");
    }

    @Test
    void aReplacementHasTheNewLevelAndAMergeTheOldOne() {
        q.queue.enqueue(me, task("merged", Priority.LOW, MINUTE, OnDuplicate.REJECT));
        q.queue.enqueue(me, task("replaced", Priority.LOW, MINUTE, OnDuplicate.REJECT));

        q.queue.enqueue(me, task("merged", Priority.HIGH, Duration.ZERO, OnDuplicate.KEEP_EARLIEST));
        q.queue.enqueue(me, task("replaced", Priority.HIGH, Duration.ZERO, OnDuplicate.REPLACE));

        assertThat(q.queue.inspect(TaskId.of("merged")).orElseThrow().priority())
                .isEqualTo(Priority.LOW);
        assertThat(q.queue.inspect(TaskId.of("replaced")).orElseThrow().priority())
                .isEqualTo(Priority.HIGH);
        assertThat(ids(q.reserve(me, 2))).containsExactly("replaced", "merged");
    }

    @Test
    void theStaleEntryOfTheFormerLevelHandsNothingOutTwice() {
        q.queue.enqueue(me, task("a", Priority.LOW, Duration.ofMillis(10), OnDuplicate.REJECT));
        q.queue.enqueue(me, task("a", Priority.HIGH, Duration.ZERO, OnDuplicate.REPLACE));
        ReservedTask held = q.reserve(me, 1).tasks().getFirst();
        await().until(() -> q.queue.move(me.value(), 100).count() == 1);

        assertThat(q.reserve(me, 10).tasks()).isEmpty();
        assertThat(q.queue.ack(held.held())).isEqualTo(Ack.ACKED);
        assertThat(q.reserve(me, 10).tasks()).isEmpty();
    }

    private void enqueue(Priority priority, int count) {
        enqueueFrom(priority, 0, count);
    }

    private void enqueueFrom(Priority priority, int from, int count) {
        List<NewTask> tasks = IntStream.range(from, from + count)
                .mapToObj(i -> task(priority.name() + i, priority, Duration.ZERO, OnDuplicate.REJECT))
                .toList();
        assertThat(q.queue.enqueueAll(me, tasks, Durability.LOCAL).answer())
                .allMatch(Enqueue.Accepted.class::isInstance);
    }

    private static NewTask task(String id, Priority priority, Duration delay, OnDuplicate policy) {
        NewTask plain = QueueUnderTest.task(id, When.after(delay), policy);
        return new NewTask(plain.id(), plain.payload(), plain.when(), plain.requestKey(), policy, priority);
    }

    private static List<String> ids(Reservation.Reserved reserved) {
        return reserved.tasks().stream().map(task -> task.id().text()).toList();
    }
}
