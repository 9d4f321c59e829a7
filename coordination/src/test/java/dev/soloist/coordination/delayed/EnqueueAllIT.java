package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.delayed.Enqueue.Reason;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several tasks in one call. */
class EnqueueAllIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link(), limits(1000, 50));
        me = q.member();
    }

    @AfterEach
    void close() {
        q.close();
    }

    @Test
    void eachTaskHasAnAnswerOfItsOwnInItsPlace() {
        q.enqueue(me, "waits", MINUTE_LATER);
        q.queue.giveBack(me, GiveBack.dead(q.held(me, "dead", MINUTE).held(), "no"), 3);
        q.held(me, "held", MINUTE);

        List<Enqueue> answers = all(
                task("new", When.now(), OnDuplicate.REJECT),
                task("waits", When.now(), OnDuplicate.REJECT),
                task("held", When.now(), OnDuplicate.REPLACE),
                task("dead", When.now(), OnDuplicate.REPLACE),
                new NewTask(TaskId.of("large"), Payload.of(new byte[1001], "x"), When.now(), "r", OnDuplicate.REJECT),
                task("far", When.after(Duration.ofDays(366)), OnDuplicate.REJECT),
                task("waits", When.after(Duration.ofSeconds(1)), OnDuplicate.KEEP_EARLIEST),
                task("last", MINUTE_LATER, OnDuplicate.REJECT));

        assertThat(answers.stream().map(EnqueueAllIT::word))
                .containsExactly("CREATED", "EXISTS", "IN_FLIGHT", "DEAD", "TOO_LARGE", "TOO_FAR", "MOVED", "CREATED");
        assertThat(q.list(1)).containsExactly("1new");
        assertThat(q.segment(me)).containsOnlyKeys("1waits", "1last");
    }

    @Test
    void allOfAnArrayAreStoredInOneRoundTrip() {
        long before = calls("evalsha") + calls("eval");

        List<Enqueue> answers = all(IntStream.range(0, 50)
                .mapToObj(i -> task("t" + i, i % 2 == 0 ? When.now() : MINUTE_LATER, OnDuplicate.REJECT))
                .toArray(NewTask[]::new));

        assertThat(answers).hasSize(50).allMatch(Enqueue.Accepted.class::isInstance);
        assertThat(q.list(1)).hasSize(25);
        assertThat(q.segment(me)).hasSize(25);
        onlyWithScripts(
                () -> assertThat(calls("evalsha") + calls("eval") - before).isLessThanOrEqualTo(2));
    }

    @Test
    void aRepeatedArrayIsKnownTaskByTask() {
        NewTask[] tasks = {
            task(TaskId.of("a"), When.now(), OnDuplicate.REJECT, "request/0"),
            task(TaskId.of("b"), MINUTE_LATER, OnDuplicate.REJECT, "request/1"),
            task(TaskId.of("c"), MINUTE_LATER, OnDuplicate.REJECT, "request/2")
        };
        all(tasks[0], tasks[1]);
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());

        assertThat(all(tasks).stream().map(EnqueueAllIT::word)).containsExactly("DUPLICATE", "DUPLICATE", "CREATED");

        assertThat(q.list(1)).isEmpty();
        assertThat(q.segment(me)).containsOnlyKeys("1b", "1c");
    }

    @Test
    void anIdTwiceInOneArrayIsJudgedInOrder() {
        List<Enqueue> answers = all(
                task("a", MINUTE_LATER, OnDuplicate.REJECT),
                task("a", When.now(), OnDuplicate.REJECT),
                task("a", When.after(Duration.ofSeconds(30)), OnDuplicate.KEEP_EARLIEST));

        assertThat(answers.stream().map(EnqueueAllIT::word)).containsExactly("CREATED", "EXISTS", "MOVED");
    }

    @Test
    void aDepthThatIsReachedInTheMiddleRefusesTheRest() {
        List<Enqueue> answers = all(IntStream.range(0, 52)
                .mapToObj(i -> task("t" + i, MINUTE_LATER, OnDuplicate.REJECT))
                .toArray(NewTask[]::new));

        assertThat(answers.subList(0, 50)).allMatch(Enqueue.Accepted.class::isInstance);
        assertThat(answers.subList(50, 52)).allMatch(new Enqueue.Refused(Reason.FULL)::equals);
    }

    @Test
    void aFencedInstanceEntersNothing() {
        q.instances.fence(me, new Evidence.Terminated());
        Map<String, String> before = q.dump();

        assertThat(all(task("a", When.now(), OnDuplicate.REJECT), task("b", When.now(), OnDuplicate.REJECT)))
                .isEqualTo(Collections.nCopies(2, new Enqueue.Fenced()));

        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void moreTasksOrBytesThanOneCallMayHaveAreNotSent() {
        var many = new ArrayList<>(Collections.nCopies(101, task("a", When.now(), OnDuplicate.REJECT)));
        assertThatThrownBy(() -> q.queue.enqueueAll(me, many, Durability.LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
        NewTask half =
                new NewTask(TaskId.of("a"), Payload.of(new byte[600 * 1024], "x"), When.now(), "r", OnDuplicate.REJECT);
        assertThatThrownBy(() -> q.queue.enqueueAll(me, List.of(half, half), Durability.LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> q.queue.enqueueAll(me, List.of(), Durability.LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void limitsThatChangeCountFromTheNextCall() {
        var now = new QueueLimits[] {limits(10, 2)};
        onlyWithScripts(() -> {
            var queue = DelayedQueue.of(new ScriptRunner(q.link), KEYS, JOB, () -> now[0]);
            NewTask eleven =
                    new NewTask(TaskId.of("a"), Payload.of(new byte[11], "x"), MINUTE_LATER, "r", OnDuplicate.REJECT);
            assertThat(queue.enqueue(me, eleven)).isEqualTo(new Enqueue.Refused(Reason.TOO_LARGE));
            now[0] = limits(11, 1);
            assertThat(queue.enqueue(me, eleven)).isInstanceOf(Enqueue.Accepted.class);
            assertThat(queue.enqueue(me, task("b", MINUTE_LATER, OnDuplicate.REJECT)))
                    .isEqualTo(new Enqueue.Refused(Reason.FULL));
            now[0] = limits(11, 2);
            assertThat(queue.enqueue(me, task("b", MINUTE_LATER, OnDuplicate.REJECT)))
                    .isInstanceOf(Enqueue.Accepted.class);
        });
    }

    /** The figures are printed; what is asserted holds on any machine. */
    @Test
    void anArrayCostsLessThanItsTasksOneByOne() {
        onlyWithScripts(() -> {
            var queue = DelayedQueue.of(new ScriptRunner(q.link), KEYS, JOB);
            time(queue, "warm", 10, 1);
            time(queue, "warm too", 10, 100);
            long single = time(queue, "single", 20, 1);
            long together = time(queue, "together", 20, 100);
            System.out.printf(
                    "2000 tasks of 200 bytes: one by one %d us each, in arrays of 100 %d us each%n",
                    single / 2_000_000, together / 2_000_000);
            assertThat(together).isLessThan(single);
        });
    }

    private long time(DelayedQueue queue, String prefix, int hundreds, int perCall) {
        List<NewTask> tasks = IntStream.range(0, hundreds * 100)
                .mapToObj(i -> new NewTask(
                        TaskId.of(prefix + i),
                        Payload.of(new byte[200], "x"),
                        MINUTE_LATER,
                        "r" + i,
                        OnDuplicate.REJECT))
                .toList();
        long begun = System.nanoTime();
        for (int from = 0; from < tasks.size(); from += perCall) {
            queue.enqueueAll(me, tasks.subList(from, from + perCall), Durability.LOCAL);
        }
        return System.nanoTime() - begun;
    }

    /** What is a fact of the scripts. */
    void onlyWithScripts(Runnable check) {
        check.run();
    }

    private List<Enqueue> all(NewTask... tasks) {
        return q.queue.enqueueAll(me, List.of(tasks), Durability.LOCAL).answer();
    }

    private static String word(Enqueue answer) {
        return switch (answer) {
            case Enqueue.Accepted accepted -> accepted.outcome().name();
            case Enqueue.Refused(Reason reason) -> reason.name();
            case Enqueue.Fenced() -> "FENCED";
            case Enqueue.Unanswered _ -> "UNANSWERED";
        };
    }

    private static QueueLimits limits(int payload, long depth) {
        return new QueueLimits(payload, depth, Duration.ofMinutes(1), Duration.ofDays(1), 100);
    }

    private long calls(String command) {
        return QueueUnderTest.text(q.link.call("INFO", "commandstats").getFirst())
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .mapToLong(line -> Long.parseLong(line.replaceFirst("^[^=]*=(\\d+).*$", "$1")))
                .sum();
    }
}
