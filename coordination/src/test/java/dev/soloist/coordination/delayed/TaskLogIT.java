package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.EventPage;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.event.LoggedEvent.Cause;
import dev.soloist.coordination.event.LoggedEvent.TaskDied;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each way in which a task dies stands in the log, once. */
class TaskLogIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private QueueUnderTest q;
    private InstanceId me;
    private EventLog log;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link(), QueueLimits.DEFAULT.withLog(100));
        me = q.member();
        log = new EventLog(new ScriptRunner(q.link), KEYS.queueLog(JOB));
    }

    @AfterEach
    void close() {
        q.close();
    }

    private List<TaskDied> deaths() {
        return ((EventPage.Events) log.after(EventId.START, 1000))
                .events().stream().map(TaskDied.class::cast).toList();
    }

    @Test
    void aTaskThatIsRefusedForGoodIsInTheLogOnce() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.giveBack(me, GiveBack.dead(held, "no such order"), 3))
                .isEqualTo(GivenBack.DEAD);
        assertThat(q.queue.giveBack(me, GiveBack.dead(held, "no such order"), 3))
                .isEqualTo(GivenBack.REPEATED);

        assertThat(deaths()).singleElement().satisfies(died -> {
            assertThat(died.task()).isEqualTo(TaskId.of("a"));
            assertThat(died.cause()).isEqualTo(Cause.REFUSED);
            assertThat(died.attempts()).isOne();
            assertThat(died.error()).isEqualTo("no such order");
        });
    }

    @Test
    void aTaskWhoseLastAttemptFailsIsInTheLogAndOneThatIsTriedAgainIsNot() {
        Held first = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(first, Duration.ZERO, "first"), 2);
        assertThat(deaths()).isEmpty();

        Held second = q.reserve(me, 1).tasks().getFirst().held();
        q.queue.giveBack(me, GiveBack.retry(second, Duration.ZERO, "second"), 2);

        assertThat(deaths()).singleElement().satisfies(died -> {
            assertThat(died.cause()).isEqualTo(Cause.ATTEMPTS);
            assertThat(died.attempts()).isEqualTo(2);
            assertThat(died.error()).isEqualTo("second");
        });
    }

    @Test
    void tasksWhoseLastHolderFellSilentAreInTheLogEachOnce() {
        for (int i = 0; i < 5; i++) {
            q.enqueue(me, "t" + i, When.now());
        }
        q.reserve(me, Nonce.create(), 5, MINUTE);
        q.zset(KEYS.inFlight(JOB)).keySet().forEach(id -> q.link.call("ZADD", KEYS.inFlight(JOB), "1", id));

        q.queue.sweep(me, new SweepRequest(100, QueueUnderTest.BACKOFF, 1));
        q.queue.sweep(me, new SweepRequest(100, QueueUnderTest.BACKOFF, 1));

        assertThat(deaths()).extracting(TaskDied::cause).containsOnly(Cause.SILENT);
        assertThat(deaths())
                .extracting(died -> died.task().text())
                .containsExactlyInAnyOrder("t0", "t1", "t2", "t3", "t4");
    }

    @Test
    void aTaskThatIsFoundToHaveHadAllItsAttemptsIsInTheLogOnce() {
        Held held = q.held(me, "a", MINUTE).held();
        q.queue.giveBack(me, GiveBack.retry(held, Duration.ZERO, "once"), 3);

        // The manifest allows fewer attempts by now.
        for (int i = 0; i < 2; i++) {
            var answer = q.queue.reserve(me, new ReserveRequest(Nonce.create(), 10, MINUTE, 1));
            assertThat(((Reservation.Reserved) answer).tasks()).isEmpty();
        }

        assertThat(deaths()).singleElement().satisfies(died -> {
            assertThat(died.cause()).isEqualTo(Cause.ATTEMPTS);
            assertThat(died.attempts()).isOne();
            assertThat(died.error()).isEqualTo("once");
        });
    }

    @Test
    void anIdOfAnyBytesComesBackAsItIs() {
        byte[] bytes = {0, (byte) 0xff, '|', '"', (byte) 0xc3, 10};
        var id = TaskId.fromBytes(bytes);
        q.accepted(me, QueueUnderTest.task(id, When.now(), OnDuplicate.REJECT, "r"));
        q.queue.giveBack(me, GiveBack.dead(q.reserve(me, 1).tasks().getFirst().held(), "ä|\n\""), 3);

        assertThat(deaths()).singleElement().satisfies(died -> {
            assertThat(died.task()).isEqualTo(id);
            assertThat(died.error()).isEqualTo("ä|\n\"");
        });
    }

    @Test
    void aTaskThatDiesAgainAfterItsRequeueIsInTheLogAgain() {
        for (int i = 0; i < 2; i++) {
            if (i == 0) {
                q.enqueue(me, "a", When.now());
            } else {
                q.queue.requeue(TaskId.of("a"));
            }
            q.queue.giveBack(
                    me, GiveBack.dead(q.reserve(me, 1).tasks().getFirst().held(), "no " + i), 3);
        }

        assertThat(deaths()).extracting(TaskDied::error).containsExactly("no 0", "no 1");
    }

    @Test
    void aQueueWithoutALogDoesWithoutAndATaskDiesAlsoWhereThereAreNoStreams() {
        var quiet = new QueueUnderTest(q.link);
        quiet.queue.giveBack(me, GiveBack.dead(quiet.held(me, "quiet", MINUTE).held(), "no"), 3);
        assertThat(q.link.call("EXISTS", KEYS.queueLog(JOB))).containsExactly(0L);

        q.link.call("ACL", "SETUSER", "default", "-xadd", "-xrevrange");
        try {
            Held held = q.held(me, "a", MINUTE).held();
            assertThat(q.queue.giveBack(me, GiveBack.dead(held, "no"), 3)).isEqualTo(GivenBack.DEAD);
        } finally {
            q.link.call("ACL", "SETUSER", "default", "+@all");
        }
        assertThat(q.zset(KEYS.dead(JOB))).containsOnlyKeys("quiet", "a");
        assertThat(deaths()).isEmpty();
    }

    @Test
    void theLogHoldsNoMoreThanItMayAlsoWhenManyDieInOneStep() {
        var three = new QueueUnderTest(q.link, QueueLimits.DEFAULT.withLog(3));
        for (int i = 0; i < 10; i++) {
            q.enqueue(me, "t" + i, When.now());
        }
        q.reserve(me, Nonce.create(), 10, MINUTE);
        q.zset(KEYS.inFlight(JOB)).keySet().forEach(id -> q.link.call("ZADD", KEYS.inFlight(JOB), "1", id));
        three.queue.sweep(me, new SweepRequest(100, QueueUnderTest.BACKOFF, 1));

        var page = (EventPage.Events) log.after(EventId.START, 1000);
        assertThat(page.events()).extracting(event -> event.id().ordinal()).containsExactly(8L, 9L, 10L);
        assertThat(page.gap()).isTrue();
        assertThat(page.newest()).isEqualTo(page.events().getLast().id());
        assertThat(page.events()).first().isInstanceOf(LoggedEvent.TaskDied.class);
    }
}
