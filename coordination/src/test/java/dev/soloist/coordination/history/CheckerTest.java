package dev.soloist.coordination.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories written by hand. Moments are counted in ms from a beginning; events take them in microseconds. */
class CheckerTest {

    private static final long BEGIN = 1_800_000_000_000L;
    private static final String JOB = "shop/report";
    private static final String MAILS = "shop/mails";
    private static final String EXPORT = "shop/app/export";

    private static long ms(long after) {
        return BEGIN + after;
    }

    private static long us(long after) {
        return ms(after) * 1000;
    }

    private static String fence(long after) {
        return "%010d-%016d".formatted(1, us(after));
    }

    private static Event grant(long at, String nonce) {
        return new Event.Granted(us(at), JOB, "pod-" + nonce, nonce, fence(at), ms(at + 100), ms(at + 10));
    }

    private static Event finish(long at, String nonce, long grantedAt) {
        return new Event.RunOver(us(at), JOB, "finish", nonce, fence(grantedAt), "DELAYED", 0, ms(at + 10));
    }

    private static Event watch(long at) {
        return new Event.RunOver(us(at), JOB, "watch", "", "", "DELAYED", 20, ms(at));
    }

    private static Event looked(String state, long lockMillis, String... tokens) {
        return new Event.Looked(us(5), JOB, state, "3", List.of(tokens), lockMillis);
    }

    private static Event start(long at, String pod, long fence) {
        return new Event.AppStarted(us(at), JOB, pod, "report/" + fence, fence(fence), 1);
    }

    private static Event stop(long at, long fence, String how) {
        return new Event.AppEnded(us(at), JOB, "", "report/" + fence, 1, how);
    }

    private static Event stored(long at, long due) {
        return new Event.Stored(us(at), MAILS, "t", "a", ms(due), "first", "REJECT");
    }

    private static Event delivered(long at, String receipt, int attempt) {
        return new Event.Delivered(us(at), MAILS, "t", "a", receipt, attempt, ms(at + 100));
    }

    private static Event acked(long at, String receipt) {
        return new Event.Acked(us(at), MAILS, "t", receipt);
    }

    private static Event swept(long at, int attempts) {
        return new Event.Returned(us(at), MAILS, "t", "sweep", "", ms(at), attempts);
    }

    private static Event task(long at, String pod) {
        return new Event.AppStarted(us(at), MAILS, pod, "t", "", 1);
    }

    private static Event lease(long at, String instance) {
        return new Event.InstanceLease(us(at), MAILS, instance, ms(at + 100), true);
    }

    private static Event leased(long at, String pod, long fence) {
        return new Event.LeaseHeld(us(at), EXPORT, pod, "" + us(fence), ms(at + 100), ms(at), true);
    }

    private static Event believed(long from, long until) {
        return new Event.Believed(us(until), JOB, "a", fence(from), from, until);
    }

    private static Arguments good(String name, Event... events) {
        return Arguments.of(name, List.of(events));
    }

    static Stream<Arguments> goodHistories() {
        return Stream.of(
                good("run after run", grant(0, "a"), finish(50, "a", 0), grant(60, "b"), finish(70, "b", 60)),
                good(
                        "renewed to the end",
                        grant(0, "a"),
                        new Event.Extended(us(90), JOB, "a", ms(190), ms(90)),
                        watch(220)),
                good("abandoned after lease and grace", grant(0, "a"), watch(121), grant(130, "b")),
                good(
                        "a lease of an app renewed, given back, had by another and left to end",
                        leased(0, "a", 0),
                        leased(50, "a", 0),
                        new Event.LeaseGivenBack(us(60), EXPORT, "a", "" + us(0)),
                        leased(61, "b", 61),
                        new Event.LeaseRevoked(us(70), EXPORT, "" + us(61)),
                        leased(162, "a", 162)),
                good("a ready job with its token", looked("READY", -2, "3"), looked("RUNNING", 50)),
                good("one belief after the other", believed(0, 100), believed(100, 200)),
                good(
                        "an app that goes on while its sidecar is frozen",
                        grant(0, "a"),
                        start(1, "a", 0),
                        new Event.Fault(us(5), "FREEZE", "a", us(300)),
                        watch(121),
                        grant(130, "b"),
                        start(131, "b", 130),
                        stop(140, 130, "done"),
                        stop(200, 0, "cancelled")),
                good(
                        "a task tried twice",
                        stored(0, 10),
                        delivered(11, "n1:1", 1),
                        swept(112, 1),
                        delivered(113, "n2:1", 2),
                        acked(120, "n2:1"),
                        new Event.Found(us(200), MAILS, "t", "DONE")),
                good(
                        "what has ended is remembered for a while",
                        new Event.Remembered(us(0), MAILS, 50),
                        stored(0, 0),
                        new Event.Promised(us(1), MAILS, "t", us(0)),
                        delivered(1, "n:1", 1),
                        acked(2, "n:1"),
                        stored(60, 60),
                        delivered(61, "m:1", 1),
                        acked(62, "m:1"),
                        new Event.Found(us(200), MAILS, "t", "ABSENT")),
                good(
                        "a task in a new life under another request",
                        stored(0, 0),
                        delivered(1, "n1:1", 1),
                        acked(2, "n1:1"),
                        new Event.Stored(us(3), MAILS, "t", "a", ms(3), "second", "REJECT")),
                good(
                        "a request that is answered after another of its instance got something",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.Stored(us(1), MAILS, "u", "a", ms(1), "first", "REJECT"),
                        new Event.Delivered(us(2), MAILS, "u", "a", "m:1", 1, ms(102)),
                        new Event.Received(us(5), MAILS, "n", List.of())),
                good("a nonce given up where no record stood", new Event.NonceSpent(us(0), JOB, "a"), grant(1, "a")),
                good(
                        "a silent instance",
                        lease(0, "a"),
                        lease(50, "b"),
                        new Event.Fenced(us(121), MAILS, "a", "LEASE_OVER", 20),
                        new Event.Adopted(us(122), MAILS, "a", "b", List.of("b", "a"))),
                good(
                        "all is well again after the faults",
                        new Event.Calm(us(0)),
                        grant(10, "a"),
                        stored(10, 900),
                        new Event.End(us(1000), List.of(JOB), 500)),
                good(
                        "a promise of before the data were lost, heard after it",
                        stored(0, 0),
                        new Event.DataLost(us(1)),
                        new Event.Promised(us(2), MAILS, "t", us(0)),
                        new Event.Found(us(9), MAILS, "t", "ABSENT")),
                good(
                        "a lease that the new primary has never seen",
                        grant(0, "a"),
                        new Event.DataLost(us(10)),
                        grant(20, "b"),
                        stored(0, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goodHistories")
    void aGoodHistoryIsNotBlamed(String name, List<Event> events) {
        assertThat(Checker.violations(events)).isEmpty();
    }

    private static Arguments bad(String rule, Event... events) {
        return Arguments.of(rule, List.of(events));
    }

    static Stream<Arguments> badHistoriesOfRuns() {
        return Stream.of(
                bad("two leases at once", grant(0, "a"), grant(50, "b")),
                bad("before the last was settled", grant(0, "a"), grant(150, "b")),
                bad("a spent nonce won", grant(0, "a"), finish(5, "a", 0), grant(20, "a")),
                bad(
                        "a spent nonce won",
                        new Event.Planned(us(-1), JOB, "seed", "READY", -1),
                        new Event.NonceSpent(us(0), JOB, "a"),
                        grant(1, "a")),
                bad("after its last moment", new Event.Granted(us(50), JOB, "p", "a", fence(50), ms(150), ms(40))),
                bad("before it was due", new Event.Planned(us(0), JOB, "seed", "DELAYED", ms(50)), grant(40, "a")),
                bad("beside a lock", new Event.LockedByHand(us(0), JOB, ms(50), ms(52)), grant(40, "a")),
                bad("renewed by somebody else", grant(0, "a"), new Event.Extended(us(9), JOB, "b", ms(109), ms(9))),
                bad(
                        "a lapsed lease was renewed",
                        grant(0, "a"),
                        new Event.Extended(us(105), JOB, "a", ms(205), ms(105))),
                bad("somebody else's late word", grant(0, "a"), finish(50, "b", 0)),
                bad("somebody else's late word", grant(50, "a"), finish(60, "a", 0)),
                bad("before lease and grace were over", grant(0, "a"), watch(110)),
                bad("under its run", grant(0, "a"), new Event.Planned(us(1), JOB, "delete", "DELETED", -1)),
                bad(
                        "the fence did not rise",
                        grant(0, "a"),
                        finish(1, "a", 0),
                        new Event.Granted(us(20), JOB, "p", "b", fence(0), ms(120), ms(30))),
                bad(
                        "the fence is behind the clock",
                        new Event.Granted(us(20), JOB, "p", "b", fence(-50_000), ms(120), ms(30))),
                bad("the fence runs ahead", new Event.Granted(us(20), JOB, "p", "b", fence(50_000), ms(120), ms(30))),
                bad("more than one token", looked("READY", -2, "3", "3")),
                bad("without its token", looked("READY", -2, "2")),
                bad("not ready", looked("RUNNING", 50, "3")),
                bad("a lock without an end", looked("RUNNING", -1)),
                bad("a lock without a run", looked("DELAYED", 50)),
                bad("two valid holders at once", believed(0, 100), believed(99, 200)),
                bad("one run began twice", grant(0, "a"), start(1, "a", 0), start(2, "a", 0)),
                bad("a run without a lease", start(1, "a", 0)),
                bad("a run began after its lease", grant(0, "a"), start(101, "a", 0)),
                bad("two valid holders of one name", leased(0, "a", 0), leased(50, "b", 50)),
                bad("that was over was renewed", leased(0, "a", 0), leased(105, "a", 0)),
                bad(
                        "a revoked lease was renewed",
                        leased(0, "a", 0),
                        new Event.LeaseRevoked(us(5), EXPORT, "" + us(0)),
                        leased(9, "a", 0)),
                bad(
                        "given back by somebody else",
                        leased(0, "a", 0),
                        new Event.LeaseGivenBack(us(5), EXPORT, "b", "" + us(0))),
                bad("under its fence", leased(0, "a", 0), leased(5, "b", 0)),
                bad("the fence of a lease did not rise", leased(0, "a", 0), leased(150, "b", -1)),
                bad("no higher fence", grant(0, "a"), grant(10, "b"), start(20, "b", 10), start(21, "a", 0)),
                bad(
                        "two runs of one job at once",
                        grant(0, "a"),
                        start(1, "a", 0),
                        watch(121),
                        grant(130, "b"),
                        start(131, "b", 130),
                        stop(140, 0, "cancelled")),
                bad(
                        "did not run again",
                        grant(0, "a"),
                        new Event.Calm(us(5)),
                        new Event.End(us(999), List.of(JOB), 9)));
    }

    static Stream<Arguments> badHistoriesOfTasks() {
        return Stream.of(
                bad("before it was due", stored(0, 10), delivered(9, "n:1", 1)),
                bad("twice at once", stored(0, 0), delivered(1, "n:1", 1), delivered(200, "m:1", 2)),
                bad("after its end", stored(0, 0), delivered(1, "n:1", 1), acked(2, "n:1"), delivered(3, "m:1", 2)),
                bad("though nobody enqueued it", delivered(1, "n:1", 1)),
                bad("as another attempt", stored(0, 0), delivered(1, "n:1", 2)),
                bad(
                        "not told of it",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.Received(us(5), MAILS, "n", List.of())),
                bad("two batches", stored(0, 0), delivered(1, "n:1", 1), swept(102, 1), delivered(103, "n:2", 2)),
                bad("with an old receipt", stored(0, 0), delivered(1, "n:1", 1), acked(2, "m:1")),
                bad("though nobody holds it", stored(0, 0), acked(2, "m:1")),
                bad("before its deadline", stored(0, 0), delivered(1, "n:1", 1), swept(100, 1)),
                bad("an attempt was counted twice", stored(0, 0), delivered(1, "n:1", 1), swept(102, 2)),
                bad(
                        "kept longer with an old receipt",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.Held(us(2), MAILS, "t", "m:1", ms(200))),
                bad("in its holder's hands", stored(0, 0), delivered(1, "n:1", 1), stored(2, 2)),
                bad("against the policy", stored(0, 0), stored(1, 1)),
                bad("came to life again", stored(0, 0), delivered(1, "n:1", 1), acked(2, "n:1"), stored(3, 3)),
                bad(
                        "came to life again",
                        new Event.Remembered(us(0), MAILS, 50),
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        acked(2, "n:1"),
                        stored(20, 20)),
                bad(
                        "accepted and lost",
                        new Event.Remembered(us(0), MAILS, 50),
                        stored(0, 0),
                        new Event.Promised(us(1), MAILS, "t", us(0)),
                        delivered(1, "n:1", 1),
                        acked(2, "n:1"),
                        stored(60, 60),
                        new Event.Found(us(90), MAILS, "t", "ABSENT")),
                bad(
                        "withdrawn in its holder's hands",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.Cancelled(us(2), MAILS, "t", "cancel", "")),
                bad(
                        "though it is to be cancelled",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.CancelAsked(us(2), MAILS, "t"),
                        swept(102, 1)),
                bad(
                        "a second time though",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.GivenOnce(us(2), MAILS, "t", "n:1"),
                        swept(102, 1),
                        delivered(103, "m:1", 2),
                        new Event.GivenOnce(us(104), MAILS, "t", "m:1")),
                bad(
                        "put nowhere",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        new Event.Vanished(us(200), MAILS, "t", "sweep")),
                bad("thrown away though not dead", stored(0, 0), new Event.Purged(us(1), MAILS, "t")),
                bad(
                        "told that it is cancelled",
                        stored(0, 0),
                        new Event.Withdrawn(us(2), MAILS, "t", us(1)),
                        delivered(9, "n:1", 1)),
                bad(
                        "accepted and lost",
                        stored(0, 0),
                        new Event.Promised(us(1), MAILS, "t", us(0)),
                        new Event.Found(us(9), MAILS, "t", "ABSENT")),
                bad("was not handed out", stored(0, 0), task(1, "a")),
                bad(
                        "an app got a task after its end",
                        stored(0, 0),
                        delivered(1, "n:1", 1),
                        acked(2, "n:1"),
                        task(9, "a")),
                bad("is still there", stored(0, 0), new Event.Calm(us(1)), new Event.End(us(1000), List.of(), 500)),
                bad(
                        "while its lease or grace lasted",
                        lease(0, "a"),
                        new Event.Fenced(us(110), MAILS, "a", "LEASE_OVER", 20)),
                bad("came back to life", lease(0, "a"), new Event.Fenced(us(1), MAILS, "a", "LEFT", 0), lease(2, "a")),
                bad("has enqueued", lease(0, "a"), new Event.Fenced(us(1), MAILS, "a", "LEFT", 0), stored(2, 2)),
                bad("a living instance was adopted", lease(0, "a"), lease(0, "b"), adopted("a", "b")),
                bad(
                        "lost segments",
                        lease(0, "a"),
                        lease(0, "b"),
                        new Event.Fenced(us(1), MAILS, "a", "LEFT", 0),
                        adopted("b")));
    }

    private static Event adopted(String... segments) {
        return new Event.Adopted(us(5), MAILS, "a", "b", List.of(segments));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"badHistoriesOfRuns", "badHistoriesOfTasks"})
    void aBadHistoryIsNamed(String rule, List<Event> events) {
        assertThat(Checker.violations(events))
                .anySatisfy(violation -> assertThat(violation).contains(rule));
    }

    @Test
    void aBrokenLinkExcusesNobody() {
        var events = List.of(
                grant(0, "a"),
                start(1, "a", 0),
                new Event.Fault(us(5), "CUT", "a", us(300)),
                watch(121),
                grant(130, "b"),
                start(131, "b", 130),
                stop(200, 0, "cancelled"));

        assertThat(Checker.violations(events)).singleElement().asString().contains("two runs of one job at once");
    }
}
