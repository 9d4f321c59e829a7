package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReserveIT {

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
    void aReservedTaskIsInFlightWithReceiptAttemptAndDeadline() {
        q.enqueue(me, "a", When.now());
        var nonce = new Nonce("n1");

        Reservation.Reserved answer = q.reserve(me, nonce, 5, MINUTE);

        ReservedTask task = answer.tasks().getFirst();
        assertThat(task.id()).isEqualTo(TaskId.of("a"));
        assertThat(task.receipt()).isEqualTo(new Receipt("n1:1"));
        assertThat(task.attempt()).isEqualTo(1);
        assertThat(task.payload()).isEqualTo(Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"));
        assertThat(answer.more()).isFalse();
        assertThat(q.zset(KEYS.inFlight(JOB)))
                .isEqualTo(Map.of("a", answer.redisNow().plus(MINUTE).toEpochMilli()));
        assertThat(q.field(KEYS.attempts(JOB), "a")).startsWith("I|1|1|n1:1|" + me + "|");
        assertThat(q.list(1)).isEmpty();
    }

    @Test
    void theSameNonceGetsTheSameBatchWithItsVisibilityBegunAnew() {
        q.enqueue(me, "a", When.now());
        q.enqueue(me, "b", When.now());
        Nonce nonce = Nonce.create();
        Reservation.Reserved first = q.reserve(me, nonce, 5, Duration.ofSeconds(20));
        q.enqueue(me, "c", When.now());

        Reservation.Reserved second = q.reserve(me, nonce, 5, MINUTE);

        assertThat(second.tasks()).isEqualTo(first.tasks());
        assertThat(q.zset(KEYS.inFlight(JOB)).values())
                .containsOnly(second.redisNow().plus(MINUTE).toEpochMilli());
        assertThat(q.list(1)).containsExactly("1c");
    }

    @Test
    void theSameNonceGetsOnlyWhatIsStillItsOwn() {
        q.enqueue(me, "a", When.now());
        q.enqueue(me, "b", When.now());
        Nonce nonce = Nonce.create();
        Reservation.Reserved first = q.reserve(me, nonce, 5, MINUTE);
        q.queue.ack(first.tasks().getFirst().held());

        assertThat(q.reserve(me, nonce, 5, MINUTE).tasks())
                .containsExactly(first.tasks().get(1));
    }

    @Test
    void aReservationThatWasAnsweredLongAgoTakesNothingWhenACopyOfItArrives() {
        InstanceId me = q.member();
        var nonces = new ArrayList<Nonce>();
        for (int i = 0; i < 11; i++) {
            q.enqueue(me, "t" + i, When.now());
            nonces.add(Nonce.create());
            assertThat(q.reserve(me, nonces.getLast(), 1, MINUTE).tasks()).hasSize(1);
        }
        q.enqueue(me, "next", When.now());

        for (Nonce late : nonces.subList(0, 10)) {
            assertThat(q.reserve(me, late, 5, MINUTE).tasks()).isEmpty();
        }
        assertThat(q.reserve(me, 5).tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.attempt()).isEqualTo(1));
    }

    @Test
    void twoInstancesGetDifferentTasks() {
        q.enqueue(me, "a", When.now());
        q.enqueue(me, "b", When.now());

        var mine = q.reserve(me, 1).tasks().getFirst();
        var theirs = q.reserve(q.member(), 1).tasks().getFirst();

        assertThat(mine.id()).isNotEqualTo(theirs.id());
    }

    @Test
    void aHintWithoutARecordIsDropped() {
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1ghost");

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
        assertThat(q.list(1)).isEmpty();
    }

    @Test
    void aSecondHintToATaskThatIsHeldIsDropped() {
        q.held(me, "a", MINUTE);
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1a");

        assertThat(q.reserve(q.member(), 1).tasks()).isEmpty();
        assertThat(q.zset(KEYS.inFlight(JOB))).hasSize(1);
    }

    @Test
    void twoHintsInOneBatchHandTheTaskOutOnce() {
        q.enqueue(me, "a", When.now());
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1a", "1a");

        assertThat(q.reserve(me, 5).tasks()).hasSize(1);
        assertThat(q.list(1)).isEmpty();
    }

    @Test
    void aHintToADeadTaskIsDropped() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.dead(held, "no"), 3);
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1a");

        assertThat(q.reserve(me, 1).tasks()).isEmpty();
    }

    @Test
    void aHintThatComesEarlyIsPutBackUnderItsDueAndNeverDropped() {
        Accepted answer = q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.REJECT));
        q.link.call("DEL", KEYS.segment(JOB, me.value()));
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1a");
        InstanceId other = q.member();

        assertThat(q.reserve(other, 1).tasks()).isEmpty();

        assertThat(q.segment(other)).isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
        assertThat(q.list(1)).isEmpty();
    }

    @Test
    void aStaleLaterEntryDoesNotHideTheDueOfAHintThatIsPutBack() {
        Accepted answer = q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.REJECT));
        InstanceId other = q.member();
        q.link.call("ZADD", KEYS.segment(JOB, other.value()), "9999999999999", "1a");
        q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1a");

        q.reserve(other, 1);

        assertThat(q.segment(other)).isEqualTo(Map.of("1a", answer.dueAt().toEpochMilli()));
    }

    @Test
    void aTaskWithTooManyAttemptsDiesAtReserveAndNeverReachesTheAppAgain() {
        q.enqueue(me, "poison", When.now());
        for (int attempt = 1; attempt <= 3; attempt++) {
            Held held = q.reserve(me, 1).tasks().getFirst().held();
            // Given back by a holder that grants more attempts than the next one does.
            assertThat(q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, "crash " + attempt), 99))
                    .isEqualTo(GivenBack.READY);
        }

        assertThat(q.reserve(me, 1).tasks()).isEmpty();

        TaskView view = q.queue.inspect(TaskId.of("poison")).orElseThrow();
        assertThat(view.state()).isEqualTo(TaskState.DEAD);
        assertThat(view.attempts()).isEqualTo(3);
        assertThat(view.lastError()).isEqualTo("crash 3");
        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("poison");
    }

    @Test
    void staleHintsDoNotLookLikeAnEmptyQueue() {
        for (int i = 0; i < 6; i++) {
            q.link.call("RPUSH", KEYS.readyList(JOB, 1), "1ghost-" + i);
        }
        q.enqueue(me, "real", When.now());

        Reservation.Reserved first = q.reserve(me, 2);

        assertThat(first.tasks()).isEmpty();
        assertThat(first.more()).isTrue();
        assertThat(q.reserve(me, 2).tasks()).hasSize(1);
    }

    @Test
    void hintsBeyondTheBatchStayInTheList() {
        for (int i = 0; i < 5; i++) {
            q.enqueue(me, "t" + i, When.now());
        }

        Reservation.Reserved answer = q.reserve(me, 2);

        assertThat(answer.tasks()).extracting(task -> task.id().text()).containsExactly("t0", "t1");
        assertThat(answer.more()).isTrue();
        assertThat(q.list(1)).containsExactly("1t2", "1t3", "1t4");
    }

    @Test
    void aBatchOfLargePayloadsEndsBeforeItFillsASmallMemory() {
        byte[] large = new byte[200 * 1024];
        for (int i = 0; i < 12; i++) {
            q.accepted(
                    me,
                    new NewTask(TaskId.of("big" + i), Payload.of(large, "x"), When.now(), "r" + i, OnDuplicate.REJECT));
        }

        Reservation.Reserved answer = q.reserve(me, 12);

        assertThat(answer.tasks()).hasSize(6);
        assertThat(answer.more()).isTrue();
        assertThat(q.list(1)).hasSize(6);
    }

    @Test
    void aHundredTasksComeInOneBatch() {
        for (int i = 0; i < 100; i++) {
            q.enqueue(me, "t" + i, When.now());
        }

        assertThat(q.reserve(me, 100).tasks()).hasSize(100);
    }

    @Test
    void theHighestListIsServedFirstButTheLowestDoesNotStarve() {
        for (int i = 0; i < 20; i++) {
            q.enqueue(me, "normal" + i, When.now());
        }
        q.enqueue(me, "low", When.now());
        q.link.call("LREM", KEYS.readyList(JOB, 1), "0", "1low");
        q.link.call("RPUSH", KEYS.readyList(JOB, 2), "2low");

        List<String> order = IntStream.range(0, 8)
                .mapToObj(i -> q.reserve(me, 1).tasks().getFirst().id().text())
                .toList();

        assertThat(order.subList(0, 7)).allMatch(id -> id.startsWith("normal"));
        assertThat(order.get(7)).isEqualTo("low");
    }

    @Test
    void aFencedOrUnknownInstanceGetsNothingAndTakesNothing() {
        q.enqueue(me, "a", When.now());
        q.instances.fence(me, new Evidence.Terminated());
        Map<String, String> before = q.dump();
        var request = new ReserveRequest(Nonce.create(), 1, MINUTE, 3);

        assertThat(q.queue.reserve(me, request)).isEqualTo(new Reservation.Fenced());
        assertThat(q.queue.reserve(InstanceId.create("nobody"), request)).isEqualTo(new Reservation.Fenced());

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void anEmptyQueueIsAskedWithoutWritingAnything() {
        Map<String, String> before = q.dump();

        assertThat(q.reserve(me, 10).tasks()).isEmpty();

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void d06_visibilityBeginsAtReserveAndNotAtEnqueue() {
        Duration visibility = Duration.ofMillis(300);
        q.enqueue(me, "a", When.after(Duration.ofMillis(900)));
        // Sweepers run all the while: a delay longer than the visibility must not make the task run again and again.
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    assertThat(q.queue.sweep(me, sweep(100)).delayed()).isZero();
                    return q.queue.move(me.value(), 10).count() == 1;
                });

        ReservedTask task = q.reserve(me, Nonce.create(), 1, visibility).tasks().getFirst();

        assertThat(task.attempt()).isEqualTo(1);
        assertThat(q.queue.sweep(me, sweep(100)).delayed()).isZero();
        assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }
}
