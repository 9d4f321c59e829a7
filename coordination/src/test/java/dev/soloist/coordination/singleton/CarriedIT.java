package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static dev.soloist.coordination.singleton.SingletonUnderTest.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.EventPage;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.RecordFields.Fate;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a job knows goes along when its lease is to be kept in another way, and nothing of it stays behind. */
class CarriedIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final int EVENTS = 500;

    private RedisLink link;
    private SingletonUnderTest job;
    private long term = 1;

    @BeforeEach
    void open() {
        link = REDIS.link();
        job = new SingletonUnderTest(link);
    }

    @AfterEach
    void close() {
        link.close();
    }

    private RedisKeys keys(Backend place) {
        return BackendRunner.keys(job.keys, place);
    }

    private SingletonStore store(Backend place) {
        return new SingletonStore(new ScriptRunner(link), job.keys, place).logging(EVENTS);
    }

    private EventLog log(Backend place) {
        return new EventLog(new ScriptRunner(link), keys(place).log(JOB));
    }

    private static Backend other(Backend place) {
        return place == Backend.STRING ? Backend.HASH : Backend.STRING;
    }

    private Map<String, String> record(Backend place) {
        Map<String, String> fields = new TreeMap<>();
        List<String> flat = texts(link.call("HGETALL", keys(place).record(JOB)));
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        return fields;
    }

    private Seeding seed(Backend place, Carried carried) {
        return store(place).seed(JOB, UID, term, "mark-" + place, job.now().plusSeconds(3600), false, SPEC, carried);
    }

    /** A job that waits for its first slot, an hour from now. */
    private void seeded(Backend place) {
        assertThat(seed(place, Carried.NOTHING)).isInstanceOf(Seeding.Seeded.class);
    }

    private Carried left(Backend place) {
        return ((Moving.Away) store(place).moveAway(JOB, UID)).carried();
    }

    /** All steps of a move, as the operator makes them. */
    private void move(Backend from) {
        Carried carried = left(from);
        term++;
        log(from).copyTo(log(other(from)), EVENTS);
        assertThat(seed(other(from), carried)).isInstanceOfSatisfying(Seeding.Seeded.class, now -> term = now.term());
        store(from).forget(JOB, UID, carried);
    }

    private Grant claim(Backend place, Nonce nonce) {
        var request =
                new ClaimRequest(term, ALICE, "pod-1", nonce, TTL, job.now().plusSeconds(10));
        return ((Claim.Claimed) store(place).claim(JOB, request)).grant();
    }

    private void run(Backend place, Duration cooldown) {
        store(place).triggerNow(JOB, true);
        Nonce nonce = Nonce.create();
        Grant grant = claim(place, nonce);
        store(place).finish(JOB, ALICE, nonce, grant.fence(), ended(job.now().plusSeconds(3600), false, cooldown));
    }

    private static FinishRequest ended(Instant next, boolean retry, Duration cooldown) {
        return new FinishRequest(
                RunResult.FAILED, "said so", next, retry, ReleasePolicy.ON_COMPLETION, Duration.ZERO, cooldown);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyFieldOfTheRecordIsCarriedRebuiltOrRightlyForgotten(Backend from) {
        seeded(from);
        int number = 1000;
        for (String field : RecordFields.of(Fate.CARRIED)) {
            link.call("HSET", keys(from).record(JOB), field, String.valueOf(number++));
        }
        link.call("HSET", keys(from).record(JOB), "fence", "77");
        Map<String, String> before = record(from);

        move(from);

        Map<String, String> after = record(other(from));
        assertThat(after)
                .containsOnlyKeys(before.keySet())
                .doesNotContainKeys(RecordFields.of(Fate.OF_A_RUN).toArray(String[]::new))
                .doesNotContainKeys(RecordFields.of(Fate.OF_THE_MOVE).toArray(String[]::new))
                .containsEntry("st", "DELAYED")
                .containsEntry("uid", UID);
        for (String field : RecordFields.of(Fate.CARRIED)) {
            assertThat(after).containsEntry(field, before.get(field));
        }
        for (String field : RecordFields.of(Fate.RISES)) {
            assertThat(Long.parseLong(after.get(field)))
                    .as(field)
                    .isGreaterThanOrEqualTo(Long.parseLong(before.get(field)));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRunThatWasAskedForDuringTheLastOneIsMadeInTheNewPlaceAndNothingOfTheLastOneIsCarried(Backend place) {
        seeded(place);
        store(place).triggerNow(JOB, true);
        Nonce nonce = Nonce.create();
        Grant grant = claim(place, nonce);
        store(place).triggerNow(JOB, true);
        assertThat(store(place).moveAway(JOB, UID)).isInstanceOf(Moving.AfterRun.class);
        store(place).finish(JOB, ALICE, nonce, grant.fence(), ended(job.now().plusSeconds(60), false, Duration.ZERO));

        move(place);

        assertThat(record(other(place)))
                .doesNotContainKeys(RecordFields.of(Fate.OF_A_RUN).toArray(String[]::new))
                .doesNotContainKeys(RecordFields.of(Fate.OF_THE_MOVE).toArray(String[]::new));
        assertThat(claim(other(place), Nonce.create()).owed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theSlotOfARunThatWasInterruptedBeforeTheMoveIsOwedInTheNewPlace(Backend place) {
        seeded(place);
        store(place).updateSpec(JOB, new SpecRevision("2", "every 2h"), job.now());
        Nonce nonce = Nonce.create();
        Grant grant = claim(place, nonce);
        assertThat(grant.owed()).isFalse();
        assertThat(store(place).moveAway(JOB, UID)).isInstanceOf(Moving.AfterRun.class);
        store(place).interrupt(JOB, ALICE, nonce);

        move(place);

        Grant next = claim(other(place), Nonce.create());
        assertThat(next.owed()).isTrue();
        assertThat(next.scheduledAt()).isEqualTo(grant.scheduledAt());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aCooldownHoldsInTheNewPlaceToo(Backend from) {
        seeded(from);
        run(from, Duration.ofHours(2));
        Instant until = store(from).snapshot(JOB).notBefore();

        move(from);

        assertThat(store(other(from)).snapshot(JOB).notBefore()).isEqualTo(until);
        assertThat(store(other(from)).triggerNow(JOB, false)).isInstanceOf(TriggerNow.Refused.class);
        store(other(from)).updateSpec(JOB, new SpecRevision("2", "every 1s"), job.now());
        assertThat(store(other(from)).snapshot(JOB).nextRun()).isEqualTo(until);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRetryThatWaitsDuringTheLastRunIsMadeInTheNewPlace(Backend from) {
        seeded(from);
        store(from).triggerNow(JOB, true);
        Nonce nonce = Nonce.create();
        Grant grant = claim(from, nonce);
        store(from).moveAway(JOB, UID);
        Instant retry = job.now().plusSeconds(60);
        store(from).finish(JOB, ALICE, nonce, grant.fence(), ended(retry, true, Duration.ZERO));

        move(from);

        assertThat(store(other(from)).snapshot(JOB)).satisfies(now -> {
            assertThat(now.state()).isEqualTo(SingletonState.DELAYED);
            assertThat(now.nextRun()).isEqualTo(retry);
            assertThat(now.slot()).isEqualTo(grant.scheduledAt());
            assertThat(now.attempt()).isEqualTo(1);
            assertThat(now.runs()).isEqualTo(1);
            assertThat(now.fails()).isEqualTo(1);
        });
    }

    @Test
    void aMoveThatWasTakenBackDuringTheLastRunChangesNoPlan() {
        Grant grant = job.running();
        job.store.moveAway(JOB, UID);
        Instant retry = job.now().plusSeconds(60);
        job.finish(ALICE, grant.fence(), SingletonUnderTest.done(RunResult.FAILED, retry, true));

        job.store.resume(JOB, job.now().plusSeconds(3600));

        assertThat(job.store.snapshot(JOB)).satisfies(now -> {
            assertThat(now.nextRun()).isEqualTo(retry);
            assertThat(now.attempt()).isEqualTo(1);
        });
        assertThat(job.record()).doesNotContainKey("leaving");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatWasSuspendedByAWishIsSuspendedInTheNewPlace(Backend from) {
        seeded(from);
        store(from).suspend(JOB);

        move(from);

        assertThat(store(other(from)).snapshot(JOB).state()).isEqualTo(SingletonState.PAUSED);
        assertThat(link.call("EXISTS", keys(other(from)).delayed(JOB))).containsExactly(0L);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theHistoryAndTheEventLogGoAlongAndNothingStaysButATombstone(Backend from) {
        seeded(from);
        for (int i = 0; i < 25; i++) {
            run(from, Duration.ZERO);
        }
        var runs = store(from).history(JOB);
        var events = events(from);
        assertThat(events).hasSize(25);

        move(from);

        assertThat(store(other(from)).history(JOB)).isEqualTo(runs);
        assertThat(events(other(from))).isEqualTo(events);
        run(other(from), Duration.ZERO);
        assertThat(log(other(from)).after(events.getLast().id(), 10))
                .isInstanceOfSatisfying(EventPage.Events.class, page -> {
                    assertThat(page.events()).hasSize(1);
                    assertThat(page.gap()).isFalse();
                });
        assertThat(keysOf(from)).containsExactly(keys(from).record(JOB));
        assertThat(record(from)).containsOnlyKeys("st", "gen", "uid", "term", "fence", "lastFence");
        assertThat((Long) link.call("PTTL", keys(from).record(JOB)).getFirst()).isPositive();
    }

    @Test
    void aLogOfManyPagesIsCopiedInPartsByTwoAtOnceAndStaysWhole() {
        for (int i = 1; i <= 450; i++) {
            link.call("XADD", keys(Backend.STRING).log(JOB), "7-" + i, "run" + i, "{}");
        }
        log(Backend.STRING).copyTo(log(Backend.HASH), 400);
        log(Backend.STRING).copyTo(log(Backend.HASH), 400);

        assertThat(events(Backend.HASH))
                .hasSize(400)
                .element(0)
                .isEqualTo(new LoggedEvent.Unknown(new EventId(7, 51), "run51"));
        assertThat(events(Backend.HASH).getLast().id()).isEqualTo(new EventId(7, 450));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whoeverDiesBetweenTwoStepsOfAMoveLeavesTheNextToSomebodyElse(Backend from) {
        seeded(from);
        run(from, Duration.ofHours(2));
        Instant until = store(from).snapshot(JOB).notBefore();

        left(from);
        Carried again = left(from);
        term++;
        log(from).copyTo(log(other(from)), EVENTS);
        assertThat(seed(other(from), again)).isInstanceOf(Seeding.Seeded.class);
        // It dies here, and the next one does all of it once more.
        Carried third = left(from);
        log(from).copyTo(log(other(from)), EVENTS);
        assertThat(seed(other(from), third)).isInstanceOf(Seeding.Present.class);
        store(from).forget(JOB, UID, third);
        store(from).forget(JOB, UID, again);

        assertThat(left(from).isNothing()).isTrue();
        assertThat(store(other(from)).snapshot(JOB).notBefore()).isEqualTo(until);
        assertThat(events(other(from))).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatLeftAndArrivedNowhereIsBackAsItWas(Backend place) {
        seeded(place);
        run(place, Duration.ofHours(2));
        Map<String, String> before = record(place);
        left(place);

        assertThat(seed(place, Carried.NOTHING)).isInstanceOf(Seeding.Seeded.class);

        Map<String, String> after = record(place);
        for (String field : RecordFields.of(Fate.CARRIED)) {
            assertThat(after.get(field)).as(field).isEqualTo(before.get(field));
        }
        assertThat(after).doesNotContainKey("moved");
        assertThat(store(place).history(JOB)).hasSize(1);
        assertThat(events(place)).hasSize(1);
    }

    @Test
    void aForgettingThatComesLateForgetsNothingOfAJobThatIsBack() {
        seeded(Backend.STRING);
        run(Backend.STRING, Duration.ofHours(2));
        Carried first = left(Backend.STRING);
        term++;
        assertThat(seed(Backend.HASH, first)).isInstanceOf(Seeding.Seeded.class);
        Carried second = left(Backend.HASH);
        term++;
        assertThat(seed(Backend.STRING, second)).isInstanceOf(Seeding.Seeded.class);

        store(Backend.STRING).forget(JOB, UID, first);
        assertThat(store(Backend.STRING).snapshot(JOB).runs()).isEqualTo(1);
        left(Backend.STRING);
        store(Backend.STRING).forget(JOB, UID, first);
        assertThat(left(Backend.STRING).isNothing()).isFalse();
        assertThat(events(Backend.STRING)).hasSize(1);
    }

    @Test
    void aNamesakeGetsNothingOfWhatADeletedJobLeftOnItsWay() {
        seeded(Backend.STRING);
        run(Backend.STRING, Duration.ofHours(2));
        left(Backend.STRING);

        assertThat(((Moving.Away) store(Backend.STRING).moveAway(JOB, "another"))
                        .carried()
                        .isNothing())
                .isTrue();
        store(Backend.STRING).seed(JOB, "another", 1, "mark", job.now().plusSeconds(60), false, SPEC);
        assertThat(store(Backend.STRING).snapshot(JOB)).satisfies(now -> {
            assertThat(now.runs()).isZero();
            assertThat(now.notBefore()).isEqualTo(Instant.EPOCH);
            assertThat(now.history()).isEmpty();
        });
    }

    @Test
    void theEntryOfALeaseThatIsOverGoesWithTheJob() {
        seeded(Backend.HASH);
        store(Backend.HASH).triggerNow(JOB, true);
        claim(Backend.HASH, nonceOf(BOB));
        link.call("ZADD", job.keys.leaseEnds(JOB.namespace()), "1", "job/" + JOB.name());
        link.call("HSET", keys(Backend.HASH).record(JOB), "lu", "1");
        assertThat(store(Backend.HASH).watch(JOB, job.watchRequest())).isInstanceOf(Watch.Abandoned.class);

        left(Backend.HASH);

        assertThat(link.call("EXISTS", job.keys.leases(JOB.namespace()), job.keys.leaseEnds(JOB.namespace())))
                .containsExactly(0L);
    }

    private List<LoggedEvent> events(Backend place) {
        return ((EventPage.Events) log(place).after(EventId.START, EventLog.PAGE)).events();
    }

    /** The keys of the job in one place. */
    private List<String> keysOf(Backend place) {
        RedisKeys keys = keys(place);
        List<String> there = new ArrayList<>(List.of(
                keys.record(JOB),
                keys.ready(JOB),
                keys.delayed(JOB),
                keys.history(JOB),
                keys.mark(JOB),
                keys.log(JOB)));
        there.removeIf(key -> link.call("EXISTS", key).equals(List.of(0L)));
        return there;
    }
}
