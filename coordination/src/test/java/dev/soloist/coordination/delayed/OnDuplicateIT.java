package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OnDuplicateIT {

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
    void rejectLeavesTheWaitingTaskAsItIs() {
        q.enqueue(me, "a", MINUTE_LATER);
        Map<String, String> before = q.dump();

        assertThat(q.queue.enqueue(me, task("a", When.now(), OnDuplicate.REJECT)))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.EXISTS));

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void keepEarliestIsNeverPostponed() {
        Accepted first = q.accepted(me, task("a", When.after(Duration.ofSeconds(10)), OnDuplicate.KEEP_EARLIEST));

        Accepted second = q.accepted(me, task("a", When.after(Duration.ofSeconds(20)), OnDuplicate.KEEP_EARLIEST));

        assertThat(second.outcome()).isEqualTo(Outcome.KEPT);
        assertThat(second.dueAt()).isEqualTo(first.dueAt());
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", first.dueAt().toEpochMilli()));
    }

    @Test
    void keepEarliestIsMovedToAnEarlierDue() {
        q.accepted(me, task("a", When.after(Duration.ofSeconds(20)), OnDuplicate.KEEP_EARLIEST));

        Accepted second = q.accepted(me, task("a", When.after(Duration.ofSeconds(10)), OnDuplicate.KEEP_EARLIEST));

        assertThat(second.outcome()).isEqualTo(Outcome.MOVED);
        assertThat(second.dueAt()).isEqualTo(second.redisNow().plusSeconds(10));
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", second.dueAt().toEpochMilli()));
        assertThat(q.queue.inspect(TaskId.of("a")).orElseThrow().dueAt()).isEqualTo(second.dueAt());
    }

    @Test
    void keepEarliestFromAnotherPodMakesTheTaskDueThere() {
        InstanceId other = q.member();
        q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.KEEP_EARLIEST));

        assertThat(q.accepted(other, task("a", When.now(), OnDuplicate.KEEP_EARLIEST))
                        .outcome())
                .isEqualTo(Outcome.MOVED);

        assertThat(q.reserve(other, 1).tasks()).hasSize(1);
        // The entry in the first pod's segment is a stale hint from now on.
        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void keepLatestAlwaysTakesTheNewDueAndKeepsThePayload() {
        q.accepted(me, withPayload("old", When.after(Duration.ofSeconds(10)), OnDuplicate.KEEP_LATEST));

        Accepted second =
                q.accepted(me, withPayload("new", When.after(Duration.ofSeconds(20)), OnDuplicate.KEEP_LATEST));

        assertThat(second.outcome()).isEqualTo(Outcome.MOVED);
        assertThat(q.segment(me)).isEqualTo(Map.of("1a", second.dueAt().toEpochMilli()));
        assertThat(payload()).isEqualTo("old");
    }

    @Test
    void keepLatestTakesATaskBackThatIsReadyButNotYetHeld() {
        q.accepted(me, task("a", When.now(), OnDuplicate.KEEP_LATEST));

        q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.KEEP_LATEST));

        assertThat(q.list(1)).containsExactly("1a");
        assertThat(q.reserve(me, 1).tasks()).isEmpty();
        assertThat(q.list(1)).isEmpty();
        assertThat(q.segment(me)).containsOnlyKeys("1a");
    }

    @Test
    void replaceTakesPayloadAndDueAndForgetsTheAttempts() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "failed"), 3);

        Accepted answer = q.accepted(me, withPayload("new", When.now(), OnDuplicate.REPLACE));

        assertThat(answer.outcome()).isEqualTo(Outcome.REPLACED);
        ReservedTask task = q.reserve(me, 1).tasks().getFirst();
        assertThat(new String(task.payload().bytes(), StandardCharsets.UTF_8)).isEqualTo("new");
        assertThat(task.attempt()).isEqualTo(1);
    }

    @Test
    void replaceObeysThePayloadLimit() {
        var small = new QueueUnderTest(q.link, new QueueLimits(3, 10, MINUTE, MINUTE, 10));
        small.accepted(me, withPayload("old", MINUTE_LATER, OnDuplicate.REPLACE));

        assertThat(small.queue.enqueue(me, withPayload("long", MINUTE_LATER, OnDuplicate.REPLACE)))
                .isEqualTo(new Enqueue.Refused(Enqueue.Reason.TOO_LARGE));

        assertThat(payload()).isEqualTo("old");
    }

    @Test
    void noPolicyTouchesATaskInFlightOrDead() {
        for (OnDuplicate policy : OnDuplicate.values()) {
            String id = policy.name();
            Held held = q.held(me, id, MINUTE).held();
            assertThat(q.queue.enqueue(me, task(id, When.now(), policy)))
                    .isEqualTo(new Enqueue.Refused(Enqueue.Reason.IN_FLIGHT));
            q.queue.giveBack(me, GiveBack.dead(held, "no"), 3);
            assertThat(q.queue.enqueue(me, task(id, When.now(), policy)))
                    .isEqualTo(new Enqueue.Refused(Enqueue.Reason.DEAD));
        }
    }

    private String payload() {
        Payload payload = q.queue.inspect(TaskId.of("a")).orElseThrow().payload();
        assertThat(payload).isNotNull();
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    private static NewTask withPayload(String text, When when, OnDuplicate policy) {
        var payload = Payload.of(text.getBytes(StandardCharsets.UTF_8), "text/plain");
        return new NewTask(TaskId.of("a"), payload, when, Nonce.create().value(), policy);
    }
}
