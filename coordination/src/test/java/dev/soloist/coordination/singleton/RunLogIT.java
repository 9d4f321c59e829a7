package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.EventPage;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each way in which a run ends stands in the log, once, and the log can be read from any point. */
class RunLogIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private SingletonUnderTest job;
    private SingletonStore store;
    private EventLog log;

    @BeforeEach
    void open() {
        link = REDIS.link();
        job = new SingletonUnderTest(link);
        store = job.store.logging(1000);
        log = new EventLog(new ScriptRunner(link), job.keys.log(JOB));
    }

    @AfterEach
    void close() {
        job.close();
    }

    private EventPage.Events after(EventId id, int max) {
        EventPage page = log.after(id, max);
        assertThat(page).isInstanceOf(EventPage.Events.class);
        return (EventPage.Events) page;
    }

    private List<RunSummary> runs() {
        return after(EventId.START, 1000).events().stream()
                .map(event -> ((LoggedEvent.RunEnded) event).run())
                .toList();
    }

    private Instant now() {
        return job.now();
    }

    /** A run of its own nonce ends, and the next slot is due. */
    private Grant run(SingletonStore with, RunResult result) {
        var nonce = Nonce.create();
        Grant grant = job.claimed(ALICE, nonce);
        with.finish(JOB, ALICE, nonce, grant.fence(), done(result, now().minusMillis(5), false));
        return grant;
    }

    @Test
    void eachResultThatAHolderTellsIsInTheLogOnce() {
        job.due();
        List<String> fences = new ArrayList<>();
        var results = List.of(
                RunResult.SUCCEEDED,
                RunResult.FAILED,
                RunResult.ABORTED,
                RunResult.TIMED_OUT,
                RunResult.INTERRUPTED,
                RunResult.SKIPPED);
        for (RunResult result : results) {
            fences.add(run(store, result).fence().toString());
        }

        assertThat(runs()).extracting(RunSummary::result).containsExactlyElementsOf(results);
        assertThat(runs()).extracting(run -> run.fence().toString()).containsExactlyElementsOf(fences);
        assertThat(runs()).containsExactlyElementsOf(store.history(JOB).reversed());
    }

    @Test
    void aFinishThatIsRepeatedIsInTheLogOnce() {
        job.due();
        var nonce = Nonce.create();
        Grant grant = job.claimed(ALICE, nonce);
        var end = done(RunResult.SUCCEEDED, now().plusSeconds(60), false);

        store.finish(JOB, ALICE, nonce, grant.fence(), end);
        assertThat(store.finish(JOB, ALICE, nonce, grant.fence(), end)).isEqualTo(new Finishing.Repeated());

        assertThat(runs()).hasSize(1);
    }

    @Test
    void anAbandonedRunIsInTheLogOnceWhateverNumberOfWatchdogsLook() {
        Grant grant = job.running();
        job.lapse();

        for (int i = 0; i < 3; i++) {
            store.watch(JOB, job.watchRequest());
        }

        assertThat(runs()).singleElement().satisfies(run -> {
            assertThat(run.result()).isEqualTo(RunResult.ABANDONED);
            assertThat(run.fence()).isEqualTo(grant.fence());
        });
    }

    @Test
    void aReclaimedRunIsInTheLogOnce() {
        Grant grant = job.running();

        store.reclaim(JOB, ALICE, grant.fence(), job.watchRequest());
        store.reclaim(JOB, ALICE, grant.fence(), job.watchRequest());

        assertThat(runs()).singleElement().satisfies(run -> {
            assertThat(run.result()).isEqualTo(RunResult.ABANDONED);
            assertThat(run.message()).isEqualTo("its pod was seen to end");
        });
    }

    @Test
    void aRunThatIsGivenBackIsInTheLogAndALeaseThatNoRunUsedIsNot() {
        job.due();
        var used = Nonce.create();
        job.claimed(ALICE, used);
        store.release(JOB, ALICE, used);
        store.release(JOB, ALICE, used);
        var unused = Nonce.create();
        job.claimed(BOB, unused);
        store.releaseUnacknowledged(JOB, BOB, unused);

        assertThat(runs()).extracting(RunSummary::result).containsExactly(RunResult.INTERRUPTED);
    }

    @Test
    void aResultThatComesTooLateIsInTheLogAsSuchOnce() {
        var nonce = SingletonUnderTest.nonceOf(ALICE);
        Grant grant = job.running();
        job.lapse();
        store.watch(JOB, job.watchRequest());

        var end = done(RunResult.SUCCEEDED, now().plusSeconds(60), false);
        for (int i = 0; i < 2; i++) {
            assertThat(store.finish(JOB, ALICE, nonce, grant.fence(), end)).isEqualTo(new Finishing.Late());
        }

        assertThat(after(EventId.START, 10).events())
                .hasSize(2)
                .last()
                .isInstanceOfSatisfying(
                        LoggedEvent.LateResult.class,
                        late -> assertThat(late.run().fence()).isEqualTo(grant.fence()));
    }

    @Test
    void theEndOfARunOfADeletedJobIsInTheLogWhichEndsWithTheTombstone() {
        var nonce = Nonce.create();
        job.due();
        Grant grant = job.claimed(ALICE, nonce);
        store.delete(JOB, UID);
        store.finish(JOB, ALICE, nonce, grant.fence(), done(RunResult.ABORTED, now(), false));

        assertThat(runs()).hasSize(1);
        assertThat(job.number("PTTL", job.keys.log(JOB))).isPositive();
    }

    @Test
    void theLogHoldsExactlyAsManyAsItMayAndReadingOnTellsOfWhatWasTrimmed() {
        job.due();
        var three = job.store.logging(3);
        List<EventId> seen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            run(three, RunResult.SUCCEEDED);
            seen.add(after(EventId.START, 10).newest());
        }

        EventPage.Events all = after(EventId.START, 10);
        assertThat(all.kept()).isEqualTo(3);
        assertThat(all.events()).extracting(LoggedEvent::id).containsExactlyElementsOf(seen.subList(3, 6));
        assertThat(all.gap()).as("the first three are gone").isTrue();
        assertThat(after(seen.get(1), 10).gap()).as("the third is gone").isTrue();
        assertThat(after(seen.get(2), 10).gap())
                .as("all after the third are kept")
                .isFalse();
        assertThat(after(seen.get(4), 10).events()).extracting(LoggedEvent::id).containsExactly(seen.get(5));
        assertThat(after(seen.get(5), 10).events()).isEmpty();
        assertThat(after(seen.get(5), 10).gap()).isFalse();

        run(job.store.logging(1), RunResult.FAILED);
        assertThat(after(EventId.START, 10).kept())
                .as("a shorter length holds at once")
                .isOne();
    }

    @Test
    void pagesFollowEachOtherWithoutASkipAndAreReadAgainFromAnyPoint() {
        job.due();
        for (int i = 0; i < 25; i++) {
            run(store, i % 2 == 0 ? RunResult.SUCCEEDED : RunResult.FAILED);
        }

        List<LoggedEvent> paged = new ArrayList<>();
        EventId after = EventId.START;
        while (true) {
            EventPage.Events page = after(after, 4);
            assertThat(page.gap()).isFalse();
            if (page.events().isEmpty()) {
                break;
            }
            paged.addAll(page.events());
            after = page.events().getLast().id();
        }

        assertThat(paged).hasSize(25).isEqualTo(after(EventId.START, 1000).events());
        assertThat(paged)
                .extracting(event -> event.id().ordinal())
                .isEqualTo(
                        java.util.stream.LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(after(paged.get(9).id(), 1000).events()).isEqualTo(paged.subList(10, 25));
        assertThat(((EventPage.Events) log.newest(3)).events()).isEqualTo(paged.subList(22, 25));
        // Any moment is a point, too.
        long millis = paged.get(20).id().millis();
        assertThat(after(new EventId(millis, 0), 1000).events())
                .allSatisfy(event -> assertThat(event.id().millis()).isGreaterThanOrEqualTo(millis));
    }

    @Test
    void aLogThatWasLostSaysSoToWhoeverReadsOn() {
        job.due();
        run(store, RunResult.SUCCEEDED);
        run(store, RunResult.SUCCEEDED);
        EventId last = after(EventId.START, 10).newest();
        link.call("DEL", job.keys.log(JOB));

        assertThat(after(last, 10).gap()).as("nothing is kept").isTrue();
        run(store, RunResult.SUCCEEDED);
        assertThat(after(last, 10).gap()).as("it counts anew").isTrue();
    }

    @Test
    void anIdIsNeverLowerThanTheOneBeforeAlsoWhenTheClockStepsBack() {
        job.due();
        long ahead = now().toEpochMilli() + 3_600_000;
        link.call("XADD", job.keys.log(JOB), ahead + "-7", "run", "{}");
        run(store, RunResult.SUCCEEDED);

        assertThat(after(new EventId(ahead, 7), 10).events())
                .extracting(LoggedEvent::id)
                .containsExactly(new EventId(ahead, 8));
    }

    @Test
    void noLogIsWrittenUnlessItIsWanted() {
        job.due();
        run(job.store, RunResult.SUCCEEDED);

        assertThat(job.number("EXISTS", job.keys.log(JOB))).isZero();
        assertThat(after(EventId.START, 10)).isEqualTo(new EventPage.Events(List.of(), 0, null, null, false));
    }

    @Test
    void whatStandsInTheLogsPlaceHoldsUpNoRunAndGivesWay() {
        job.due();
        link.call("SET", job.keys.log(JOB), "by hand");
        assertThat(after(EventId.START, 10).events()).isEmpty();

        run(store, RunResult.SUCCEEDED);

        assertThat(runs()).hasSize(1);
    }

    /** As on a server that has scripts and no streams, or for a user that an operator of before made. */
    @Test
    void aRunEndsAlsoWhereThereAreNoStreamsAndReadersAreToldThatThereIsNoLog() {
        job.due();
        link.call("ACL", "SETUSER", "default", "-xadd", "-xrevrange", "-xrange", "-xlen");
        try {
            Grant grant = run(store, RunResult.SUCCEEDED);

            assertThat(store.snapshot(JOB).last().fence()).isEqualTo(grant.fence());
            assertThat(log.after(EventId.START, 10)).isInstanceOf(EventPage.Off.class);
            assertThat(log.newest(10)).isInstanceOf(EventPage.Off.class);
        } finally {
            link.call("ACL", "SETUSER", "default", "+@all");
        }
    }

    @Test
    void aThousandEventsTakeLessThanHalfAMegabyte() {
        job.due();
        for (int i = 0; i < 1000; i++) {
            run(store, RunResult.SUCCEEDED);
        }

        long bytes = job.number("MEMORY", "USAGE", job.keys.log(JOB), "SAMPLES", "0");

        System.out.println("a thousand events take " + bytes + " bytes");
        assertThat(bytes).isLessThan(512 * 1024);
    }

    @Test
    void aFullServerLetsARunEndWithItsEvent() {
        job.due();
        var nonce = Nonce.create();
        Grant grant = job.claimed(ALICE, nonce);
        link.call("CONFIG", "SET", "maxmemory", "1");
        try {
            store.finish(JOB, ALICE, nonce, grant.fence(), done(RunResult.SUCCEEDED, now().plusSeconds(60), false));
        } catch (ScriptFailed full) {
            throw new AssertionError("the run could not end", full);
        } finally {
            link.call("CONFIG", "SET", "maxmemory", "0");
        }

        assertThat(runs()).hasSize(1);
    }
}
