package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeduplicationIT {

    private static final Duration HOUR = Duration.ofHours(1);

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

    private static NewTask once(String id, String key, Duration window, ReleaseOn releaseOn, When when) {
        return task(id, when, OnDuplicate.REJECT).once(new OnceWithin(TaskId.of(key), window, releaseOn));
    }

    private static NewTask once(String id, String key) {
        return once(id, key, HOUR, ReleaseOn.TERMINAL, When.now());
    }

    private Accepted accepted(String id, String key) {
        return q.accepted(me, once(id, key));
    }

    private void handle(String id) {
        var held = q.reserve(me, 10).tasks().stream().map(ReservedTask::held).toList();
        assertThat(held).extracting(one -> one.id().text()).containsExactly(id);
        assertThat(q.queue.ack(held)).containsExactly(Ack.ACKED);
    }

    private void kill(String id) {
        var held = q.reserve(me, 10).tasks().getFirst().held();
        assertThat(held.id().text()).isEqualTo(id);
        assertThat(q.queue.giveBack(me, GiveBack.dead(held, "no"), 3)).isEqualTo(GivenBack.DEAD);
    }

    private static void isDuplicateOf(Accepted answer, String id) {
        assertThat(answer.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(answer.taken()).isNotNull();
        assertThat(answer.taken().by()).isEqualTo(TaskId.of(id));
    }

    @ParameterizedTest
    @EnumSource(ReleaseOn.class)
    void e01_cancelFreesTheKeyAndCompletionInsideTheWindowDoesNot(ReleaseOn releaseOn) {
        var x = once("X", "X", HOUR, releaseOn, MINUTE_LATER);
        q.accepted(me, x);
        assertThat(q.queue.cancel(TaskId.of("X"))).isEqualTo(Cancellation.CANCELLED);

        Accepted again = q.accepted(me, once("X", "X", HOUR, releaseOn, When.now()));
        assertThat(again.outcome()).isEqualTo(Outcome.CREATED);

        handle("X");
        Accepted after = q.accepted(me, once("X", "X", HOUR, releaseOn, When.now()));
        isDuplicateOf(after, "X");
        assertThat(after.taken().until()).isAfter(after.redisNow().plus(Duration.ofMinutes(59)));
        assertThat(after.dueAt()).isEqualTo(again.dueAt());
        assertThat(q.reserve(me, 10).tasks()).isEmpty();
    }

    @Test
    void e02_aDeadLetterFreesItsKeyWithTerminalAndItsRequeueIsRefusedWhileAnotherLives() {
        accepted("first", "X");
        kill("first");

        assertThat(accepted("second", "X").outcome()).isEqualTo(Outcome.CREATED);
        assertThat(q.queue.requeue(TaskId.of("first"))).isEqualTo(Requeue.KEY_TAKEN);
        handle("second");
        assertThat(q.queue.requeue(TaskId.of("first"))).isEqualTo(Requeue.KEY_TAKEN);
        assertThat(q.queue.inspect(TaskId.of("first")).orElseThrow().state()).isEqualTo(TaskState.DEAD);
    }

    @Test
    void e02_aDeadLetterKeepsItsKeyWithSuccessUntilItWasRequeuedAndHandled() {
        q.accepted(me, once("first", "X", Duration.ofMillis(1), ReleaseOn.SUCCESS, When.now()));
        kill("first");

        var second = once("second", "X", Duration.ofMillis(1), ReleaseOn.SUCCESS, When.now());
        assertThat(q.queue.enqueue(me, second)).isEqualTo(new Enqueue.Refused(Enqueue.Reason.DEAD));
        assertThat(q.queue.requeue(TaskId.of("first"))).isEqualTo(Requeue.REQUEUED);
        isDuplicateOf(q.accepted(me, second), "first");
        handle("first");
        assertThat(q.accepted(me, second).outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void e02_theIdOfADeadLetterBeginsANewLifeWithTerminalAndTheDeadOneIsGone() {
        accepted("X", "X");
        kill("X");

        assertThat(accepted("X", "X").outcome()).isEqualTo(Outcome.CREATED);

        assertThat(q.queue.requeue(TaskId.of("X"))).isEqualTo(Requeue.NOT_DEAD);
        assertThat(q.queue.dead(0, 10)).isEmpty();
        handle("X");
        isDuplicateOf(accepted("X", "X"), "X");
    }

    @Test
    void e02_ofTwoDeadLettersWithOneKeyOnlyOneCanBeRequeued() {
        accepted("first", "X");
        kill("first");
        accepted("second", "X");
        kill("second");

        assertThat(q.queue.requeue(TaskId.of("first"))).isEqualTo(Requeue.REQUEUED);
        assertThat(q.queue.requeue(TaskId.of("second"))).isEqualTo(Requeue.KEY_TAKEN);
        isDuplicateOf(accepted("third", "X"), "first");
        assertThat(q.queue.cancel(TaskId.of("first"))).isEqualTo(Cancellation.CANCELLED);
        assertThat(q.queue.requeue(TaskId.of("second"))).isEqualTo(Requeue.REQUEUED);
    }

    @Test
    void aKeyIsTakenInEveryStateOfItsTask() {
        var owner = once("owner", "k", HOUR, ReleaseOn.SUCCESS, When.after(Duration.ofMillis(30)));
        q.accepted(me, owner);
        isDuplicateOf(accepted("other", "k"), "owner");
        Awaitility.await().until(() -> q.queue.move(me.value(), 10).count() == 1);
        isDuplicateOf(accepted("other", "k"), "owner");
        var held = q.reserve(me, 1).tasks().getFirst().held();
        isDuplicateOf(accepted("other", "k"), "owner");
        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "later"), 3);
        Accepted while_ = accepted("other", "k");
        isDuplicateOf(while_, "owner");
        assertThat(while_.taken().until()).isNull();
        assertThat(q.queue.inspect(TaskId.of("other"))).isEmpty();
    }

    @Test
    void aTaskThatOutlivesItsWindowKeepsItsKeyUntilItEnds() {
        q.accepted(me, once("slow", "k", Duration.ofMillis(1), ReleaseOn.TERMINAL, When.now()));
        var held = q.reserve(me, 1).tasks().getFirst().held();
        Awaitility.await().until(() -> q.queue.purge().keys() == 1);

        isDuplicateOf(accepted("other", "k"), "slow");
        q.queue.ack(held);

        assertThat(accepted("other", "k").outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void theWindowIsOverWhenItsTimeIs() {
        q.accepted(me, once("a", "k", Duration.ofSeconds(3), ReleaseOn.TERMINAL, When.now()));
        handle("a");
        Accepted taken = accepted("b", "k");
        isDuplicateOf(taken, "a");

        Awaitility.await().until(() -> accepted("b", "k").outcome() == Outcome.CREATED);

        assertThat(q.link.now()).isAfterOrEqualTo(taken.taken().until());
    }

    @Test
    void anIdThatWaitsIsJudgedByThePolicyAndKeepsTheKeyItCameWith() {
        accepted("X", "k");
        var sooner = task(TaskId.of("X"), MINUTE_LATER, OnDuplicate.KEEP_LATEST, "r2")
                .once(new OnceWithin(TaskId.of("k"), HOUR, ReleaseOn.TERMINAL));

        assertThat(q.accepted(me, sooner).outcome()).isEqualTo(Outcome.MOVED);
        assertThat(q.queue.enqueue(me, once("X", "other"))).isEqualTo(new Enqueue.Refused(Enqueue.Reason.EXISTS));
        isDuplicateOf(accepted("Y", "k"), "X");
        assertThat(accepted("Z", "other").outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void aReplacedTaskHasTheKeyOfItsReplacement() {
        accepted("X", "old");
        var replacement = task(TaskId.of("X"), MINUTE_LATER, OnDuplicate.REPLACE, "r2")
                .once(new OnceWithin(TaskId.of("new"), HOUR, ReleaseOn.TERMINAL));

        assertThat(q.accepted(me, replacement).outcome()).isEqualTo(Outcome.REPLACED);

        isDuplicateOf(accepted("Y", "new"), "X");
        assertThat(accepted("Z", "old").outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void aRepeatOfTheSameRequestIsTheSameTaskAndNotItsOwnDuplicate() {
        var task = once("a", "k");
        q.accepted(me, task);
        Accepted again = q.accepted(me, task);
        assertThat(again.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(again.taken()).isNull();
        handle("a");
        assertThat(q.accepted(me, task).taken()).isNull();
    }

    @Test
    void aTaskWithoutAKeyOfItsOwnIsKnownByItsIdToThoseWhoNameIt() {
        q.accepted(me, task("plain", MINUTE_LATER, OnDuplicate.REJECT));

        Accepted answer = accepted("other", "plain");

        isDuplicateOf(answer, "plain");
        assertThat(answer.dueAt()).isAfter(answer.redisNow());
    }

    @Test
    void keysAreBytesAndMayHoldWhatSeparatesTheStoredForm() {
        for (String key : List.of("a|b", "k", "P|1|2|x", "Trường", "\0\n|", " ")) {
            assertThat(accepted("1" + key, key).outcome()).as(key).isEqualTo(Outcome.CREATED);
            isDuplicateOf(accepted("2" + key, key), "1" + key);
        }
    }

    @Test
    void severalTasksOfOneCallDeduplicateAmongThemselves() {
        var answers = q.queue
                .enqueueAll(me, List.of(once("a", "k"), once("b", "k"), once("c", "l")), Durability.LOCAL)
                .answer();

        assertThat(answers)
                .extracting(answer -> ((Accepted) answer).outcome())
                .containsExactly(Outcome.CREATED, Outcome.DUPLICATE, Outcome.CREATED);
        isDuplicateOf((Accepted) answers.get(1), "a");
    }

    @Test
    void ofManyAtOnceOneIsTaken() throws Exception {
        var calls = new ArrayList<Callable<Outcome>>();
        for (int pod = 0; pod < 8; pod++) {
            var instance = q.member();
            for (int i = 0; i < 20; i++) {
                String id = pod + "-" + i;
                String key = "k" + i;
                calls.add(() -> q.accepted(instance, once(id, key)).outcome());
            }
        }
        int created = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(calls)) {
                created += answer.get() == Outcome.CREATED ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(20);
    }

    @Test
    void aFencedInstanceClaimsNoKey() {
        q.instances.fence(me, new Evidence.Terminated());
        Map<String, String> before = q.dump();
        assertThat(q.queue.enqueue(me, once("a", "k"))).isEqualTo(new Enqueue.Fenced());
        assertThat(q.dump()).isEqualTo(before);
    }

    @Test
    void nothingIsLeftOfKeysWhoseTimeIsOver() {
        for (int round = 0; round < 3; round++) {
            for (String id : List.of("handled", "cancelled", "dead", "flagged")) {
                var answer = q.accepted(
                        me,
                        task(
                                        TaskId.of(id + round),
                                        When.now(),
                                        OnDuplicate.REJECT,
                                        Nonce.create().value())
                                .once(new OnceWithin(TaskId.of("k" + id), Duration.ofMillis(1), ReleaseOn.TERMINAL)));
                assertThat(answer.outcome()).isEqualTo(Outcome.CREATED);
                if (id.equals("cancelled")) {
                    q.queue.cancel(TaskId.of(id + round));
                    continue;
                }
                var held = q.reserve(me, 1).tasks().getFirst().held();
                switch (id) {
                    case "handled" -> q.queue.ack(held);
                    case "dead" -> q.queue.giveBack(me, GiveBack.dead(held, "no"), 3);
                    default -> {
                        q.queue.cancel(held.id());
                        q.queue.giveBack(me, GiveBack.retry(held, MINUTE, "no"), 3);
                    }
                }
            }
        }
        q.queue.dead(0, 10).forEach(dead -> q.queue.discard(dead.id()));
        Awaitility.await().untilAsserted(() -> {
            q.queue.purge();
            assertThat(q.hash(KEYS.deduplication(JOB))).isEmpty();
            assertThat(q.zset(KEYS.deduplicationExpiry(JOB))).isEmpty();
        });
    }
}
