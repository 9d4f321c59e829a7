package dev.soloist.coordination.delayed.stream;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReplayIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private StreamUnderTest s;
    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        s = new StreamUnderTest(REDIS.link());
        q = s.q;
        me = q.member();
    }

    @AfterEach
    void close() {
        s.close();
    }

    /** A moment after all entries so far and before all later ones. */
    private Instant between() {
        Instant moment = s.now().plusMillis(1);
        await().pollInterval(Duration.ofMillis(1)).until(() -> s.now().isAfter(moment.plusMillis(1)));
        return moment;
    }

    private Replayed replay(ReplayRequest request) {
        return replay(s.stream(), request);
    }

    private Replayed replay(TaskStream stream, ReplayRequest request) {
        return (Replayed) stream.replay(me, request);
    }

    private List<String> handleAll() {
        var ids = new ArrayList<String>();
        List<ReservedTask> tasks;
        do {
            tasks = q.reserve(me, 50).tasks();
            for (ReservedTask task : tasks) {
                assertThat(task.attempt()).isEqualTo(1);
                assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);
                ids.add(task.id().text());
            }
        } while (!tasks.isEmpty());
        return ids;
    }

    @Test
    void whatWasHandledSinceAnInstantIsHandledAgainWithItsPayloadInTheOrderOfBefore() {
        s.handled(me, "early");
        Instant from = between();
        byte[] bytes = {0, 1, '|', '\n', (byte) 0xff};
        q.accepted(me, new NewTask(TaskId.of("odd|id"), Payload.of(bytes, "x/y"), When.now(), "r", OnDuplicate.REJECT));
        handleAll();
        s.handled(me, "b", "c");
        between();

        Replayed answer = replay(new ReplayRequest(from, null, "again"));

        assertThat(answer.tasks()).isEqualTo(3);
        assertThat(answer.alive()).isZero();
        assertThat(answer.full()).isFalse();
        var first = q.reserve(me, 1).tasks().getFirst();
        assertThat(first.id().text()).isEqualTo("odd|id");
        assertThat(first.payload().bytes()).isEqualTo(bytes);
        assertThat(first.payload().contentType()).isEqualTo("x/y");
        assertThat(handleAll()).containsExactly("b", "c");
    }

    @Test
    void whatWaitsIsHeldOrDeadIsLeftAlone() {
        Instant from = between();
        s.handled(me, "waits", "held", "dead");
        q.enqueue(me, "waits", When.after(MINUTE));
        var held = s.held(me, MINUTE, "held", "dead");
        q.queue.giveBack(me, GiveBack.dead(held.getLast().held(), "no"), 3);
        between();

        Replayed answer = replay(new ReplayRequest(from, null, "again"));

        assertThat(answer.tasks()).isZero();
        assertThat(answer.alive()).isEqualTo(4);
        assertThat(q.reserve(me, 5).tasks()).isEmpty();
    }

    @Test
    void whatWasWithdrawnIsNotHandledByAReplay() {
        Instant from = between();
        var held = s.held(me, MINUTE, "a").getFirst();
        q.queue.cancel(held.id());
        q.queue.giveBack(me, GiveBack.retry(held.held(), Duration.ZERO, ""), 3);
        between();

        assertThat(replay(new ReplayRequest(from, null, "again")).tasks()).isZero();
    }

    @Test
    void aReplayThatIsRepeatedMakesNothingReadyTwiceAndAnotherOneDoes() {
        Instant from = between();
        s.handled(me, "a", "b");
        between();
        var request = new ReplayRequest(from, null, "again");
        assertThat(replay(request).tasks()).isEqualTo(2);
        assertThat(q.queue.ack(q.reserve(me, 1).tasks().getFirst().held())).isEqualTo(Ack.ACKED);
        between();

        // As after a lost answer: one is done already, one waits. What the first replay brought about is later than
        // both.
        Replayed repeat = replay(new ReplayRequest(from, from.plusMillis(1), "again"));
        assertThat(repeat.tasks()).isZero();
        handleAll();
        between();

        var until = Instant.ofEpochMilli(Long.parseLong(
                s.entries().keySet().stream().skip(1).findFirst().orElseThrow().split("-")[0]));
        Replayed same = replay(new ReplayRequest(from, until, "again"));
        assertThat(same.tasks()).isZero();
        assertThat(same.repeated()).isEqualTo(2);
        assertThat(replay(new ReplayRequest(from, until, "another")).tasks()).isEqualTo(2);
        assertThat(handleAll()).containsExactly("a", "b");
    }

    @Test
    void aLongHistoryIsReplayedWholeAndARunningReplayDoesNotChaseItself() {
        Instant from = between();
        for (int i = 0; i < 5; i++) {
            int round = i;
            s.handled(
                    me,
                    IntStream.range(0, 45).mapToObj(n -> "t" + round + "-" + n).toArray(String[]::new));
        }
        between();
        Replayed answer = replay(new ReplayRequest(from, s.now().plusSeconds(3600), "again"));

        assertThat(answer.tasks()).isEqualTo(225);
        assertThat(answer.until()).isBefore(s.now());
        assertThat(handleAll()).hasSize(225);
    }

    @Test
    void aReplayStopsAtTheDepthOfTheQueueAndGoesOnWhenItIsRepeated() {
        try (var shallow = new QueueUnderTest(
                REDIS.link(),
                new QueueLimits(1024, 30, QueueLimits.DEFAULT.retention(), Duration.ofDays(1), 10),
                dev.soloist.coordination.delayed.ByStream.STREAM)) {
            Instant from = between();
            for (int i = 0; i < 5; i++) {
                int round = i;
                s.handled(
                        me,
                        IntStream.range(0, 10)
                                .mapToObj(n -> "t" + round + "-" + n)
                                .toArray(String[]::new));
            }
            between();
            Instant until = s.now();
            between();
            var request = new ReplayRequest(from, until, "again");
            TaskStream stream = shallow.queue.stream().orElseThrow();

            Replayed first = replay(stream, request);
            assertThat(first.full()).isTrue();
            assertThat(first.tasks()).isEqualTo(30);
            assertThat(handleAll()).hasSize(30);

            Replayed second = replay(stream, request);
            assertThat(second.full()).isFalse();
            assertThat(second.repeated()).isEqualTo(30);
            assertThat(second.tasks()).isEqualTo(20);
            assertThat(handleAll()).hasSize(20);
        }
    }

    @Test
    void theCallerMayKnowFromWhenOnHistoryIsKept() {
        assertThat(s.stream().state().keptSince()).isNull();
        Instant from = between();
        s.handled(me, "a");

        assertThat(s.stream().state().keptSince()).isBetween(from, s.now());
        assertThat(q.zset(KEYS.inFlight(JOB))).isEmpty();
    }

    @Test
    void whoIsFencedOrUnknownReplaysNothing() {
        Instant from = between();
        s.handled(me, "a", "b");
        between();
        var request = new ReplayRequest(from, null, "again");
        q.instances.fence(me, new Evidence.Terminated());

        assertThat(s.stream().replay(me, request)).isEqualTo(new Replay.Fenced());
        assertThat(s.stream().replay(InstanceId.create("nobody"), request)).isEqualTo(new Replay.Fenced());

        var again = q.member();
        assertThat(q.reserve(again, 5).tasks()).isEmpty();
        assertThat(s.stream().replay(again, request))
                .isInstanceOfSatisfying(
                        Replayed.class, replayed -> assertThat(replayed.tasks()).isEqualTo(2));
    }
}
