package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WatchIT {

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
    }

    @AfterEach
    void close() {
        job.close();
    }

    /** One row of the decision table: what is there, what is said, and what stands afterwards. */
    record Row(String name, Consumer<SingletonUnderTest> given, WatchVerdict verdict, SingletonState after) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> table() {
        return Stream.of(
                new Row("ready with its token", SingletonUnderTest::ready, WatchVerdict.OK, SingletonState.READY),
                new Row(
                        "ready without a token",
                        b -> b.ready().call("DEL", b.keys.ready(JOB)),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with two tokens",
                        b -> b.ready().call("RPUSH", b.keys.ready(JOB), "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with a stale token",
                        b -> {
                            b.ready().call("DEL", b.keys.ready(JOB));
                            b.call("RPUSH", b.keys.ready(JOB), "77");
                        },
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with a token key of a wrong type",
                        b -> {
                            b.ready().call("DEL", b.keys.ready(JOB));
                            b.call("SET", b.keys.ready(JOB), "1");
                        },
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row("delayed with its token", SingletonUnderTest::delayed, WatchVerdict.OK, SingletonState.DELAYED),
                new Row("overdue", SingletonUnderTest::due, WatchVerdict.PROMOTED, SingletonState.READY),
                new Row(
                        "overdue and its token lost",
                        b -> b.due().call("DEL", b.keys.delayed(JOB)),
                        WatchVerdict.PROMOTED,
                        SingletonState.READY),
                new Row(
                        "delayed without a token",
                        b -> b.delayed().call("DEL", b.keys.delayed(JOB)),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with another moment",
                        b -> b.delayed().call("ZADD", b.keys.delayed(JOB), "5", "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with two tokens",
                        b -> b.delayed().call("ZADD", b.keys.delayed(JOB), "5", "0"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with a ready token",
                        b -> b.delayed().call("RPUSH", b.keys.ready(JOB), "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row("running", SingletonUnderTest::running, WatchVerdict.OK, SingletonState.RUNNING),
                new Row(
                        "running with a lock that has no end",
                        b -> {
                            b.running();
                            b.call("PERSIST", b.lease());
                        },
                        WatchVerdict.CORRUPT,
                        SingletonState.RUNNING),
                new Row(
                        "running with the lock of somebody else",
                        b -> {
                            b.running();
                            b.call("SET", b.lease(), "somebody", "PX", "60000");
                        },
                        WatchVerdict.CORRUPT,
                        SingletonState.RUNNING),
                new Row(
                        "running with a vanished lock before the end of the lease",
                        b -> {
                            b.running();
                            b.call("DEL", b.lease());
                        },
                        WatchVerdict.WAIT,
                        SingletonState.RUNNING),
                new Row(
                        "running with a lapsed lease",
                        b -> {
                            b.running();
                            b.lapse();
                        },
                        WatchVerdict.ABANDONED,
                        SingletonState.DELAYED),
                new Row(
                        "lapsed and to be suspended",
                        b -> {
                            b.running();
                            b.store.suspend(JOB);
                            b.lapse();
                        },
                        WatchVerdict.ABANDONED,
                        SingletonState.PAUSED),
                new Row(
                        "lapsed and to be deleted",
                        b -> {
                            b.running();
                            b.store.delete(JOB, UID);
                            b.lapse();
                        },
                        WatchVerdict.ABANDONED,
                        SingletonState.DELETED),
                new Row("paused", SingletonUnderTest::paused, WatchVerdict.OK, SingletonState.PAUSED),
                new Row(
                        "paused with tokens",
                        b -> {
                            b.paused().call("ZADD", b.keys.delayed(JOB), "5", "0");
                            b.call("RPUSH", b.keys.ready(JOB), "1");
                        },
                        WatchVerdict.OK,
                        SingletonState.PAUSED),
                new Row("deleted", SingletonUnderTest::deleted, WatchVerdict.OK, SingletonState.DELETED),
                new Row("nothing", b -> {}, WatchVerdict.ABSENT, SingletonState.ABSENT),
                new Row(
                        "a lock without a record",
                        b -> b.call("SET", b.lease(), "somebody", "PX", "60000"),
                        WatchVerdict.WAIT,
                        SingletonState.ABSENT),
                new Row(
                        "ready with a foreign lock that ends",
                        b -> b.ready().call("SET", b.lease(), "somebody", "PX", "60000"),
                        WatchVerdict.OK,
                        SingletonState.READY),
                new Row(
                        "ready with a foreign lock that has no end",
                        b -> b.ready().call("SET", b.lease(), "somebody"),
                        WatchVerdict.CORRUPT,
                        SingletonState.READY),
                new Row(
                        "a lock of a wrong type",
                        b -> b.ready().call("HSET", b.lease(), "wrong", "type"),
                        WatchVerdict.CORRUPT,
                        SingletonState.READY),
                new Row(
                        "a record that says nothing we know",
                        b -> b.delayed().call("HSET", b.keys.record(JOB), "gen", "x"),
                        WatchVerdict.CORRUPT,
                        SingletonState.DELAYED));
    }

    @ParameterizedTest
    @MethodSource("table")
    void t05_eachStateGetsItsVerdictAndItsOneToken(Row row) {
        row.given().accept(job);

        assertThat(job.watch().verdict()).isEqualTo(row.verdict());

        Map<String, String> record = job.record();
        assertThat(record.getOrDefault("st", "ABSENT")).isEqualTo(row.after().name());
        if (row.verdict() == WatchVerdict.CORRUPT) {
            return;
        }
        String generation = record.getOrDefault("gen", "");
        switch (row.after()) {
            case READY -> {
                assertThat(job.readyTokens()).containsExactly(generation);
                assertThat(job.delayedTokens()).isEmpty();
            }
            case DELAYED -> {
                assertThat(job.delayedTokens()).containsExactly(generation, record.get("due"));
                assertThat(job.readyTokens()).isEmpty();
            }
            case RUNNING, PAUSED, DELETED, ABSENT -> {
                assertThat(job.readyTokens()).isEmpty();
                assertThat(job.delayedTokens()).isEmpty();
            }
        }
        assertThat(job.watch().verdict()).isIn(WatchVerdict.OK, WatchVerdict.WAIT, WatchVerdict.ABSENT);
    }

    @Test
    void w03_aLockWithoutAnEndIsReportedAndGetsTheLeasesOwnEnd() {
        job.running();
        job.call("PERSIST", job.lease());

        job.watch();

        assertThat(job.number("PTTL", job.lease())).isBetween(5_000L, 30_000L);
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void w03_aForeignLockIsNeverTakenAway() {
        job.ready();
        job.call("SET", job.lease(), "somebody");

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);
        assertThat(job.lock()).isEqualTo("somebody");
        assertThat(job.claim(ALICE, nonceOf(ALICE))).isEqualTo(new Claim.Busy(Claim.UNTIL_WOKEN));
    }

    @Test
    void l10_aRunOfAnyAgeIsLeftAloneWhileItsLeaseLives() {
        job.running();
        job.call("HSET", job.keys.record(JOB), "startedAt", "1");

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void theGraceIsWaitedOut() {
        job.running();
        job.lapse();
        WatchRequest patient = new WatchRequest(
                Duration.ofSeconds(60),
                AbandonPolicy.RETRY,
                job.now(),
                new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(60)),
                3);

        assertThat(job.store.watch(JOB, patient).verdict()).isEqualTo(WatchVerdict.WAIT);
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.ABANDONED);
    }

    @Test
    void anAbandonedRunNamesItsHolderAndStandsInTheHistory() {
        Grant grant = job.running();
        job.lapse();

        assertThat(job.watch())
                .isEqualTo(new Watch.Abandoned(ALICE, "pod-alice-uid", grant.fence(), SingletonState.DELAYED));

        SingletonSnapshot seen = job.store.snapshot(JOB, 20);
        assertThat(seen.generation()).isEqualTo(2);
        assertThat(seen.misses()).isEqualTo(1);
        assertThat(seen.fails()).isEqualTo(1);
        assertThat(seen.last().result()).isEqualTo(RunResult.ABANDONED);
        assertThat(seen.history()).singleElement().satisfies(run -> {
            assertThat(run.result()).isEqualTo(RunResult.ABANDONED);
            assertThat(run.fence()).isEqualTo(grant.fence());
            assertThat(run.slot()).isEqualTo(grant.scheduledAt());
        });
    }

    @Test
    void aSilentSlotIsRetriedWithGrowingWaitsThenSkipped() {
        Grant first = job.running();
        long[] waits = new long[4];
        for (int miss = 0; miss < 4; miss++) {
            job.lapse();
            Instant before = job.now();
            job.watch();
            SingletonSnapshot seen = job.store.snapshot(JOB);
            waits[miss] = Duration.between(before, seen.due()).toSeconds();
            if (miss < 3) {
                assertThat(seen.slot()).isEqualTo(first.scheduledAt());
                assertThat(seen.attempt()).isEqualTo(miss + 1);
            } else {
                assertThat(seen.slot()).isEqualTo(seen.due());
                assertThat(seen.attempt()).isZero();
            }
            job.call("HSET", job.keys.record(JOB), "due", "0");
            job.claimed(ALICE, Nonce.create());
        }

        assertThat(waits[0]).isEqualTo(1);
        assertThat(waits[1]).isEqualTo(2);
        assertThat(waits[2]).isEqualTo(4);
        assertThat(waits[3]).isBetween(3590L, 3600L);
    }

    @Test
    void theCapLimitsTheWait() {
        job.running();
        job.call("HSET", job.keys.record(JOB), "misses", "900");
        job.lapse();
        job.store.watch(JOB, job.watchRequest(AbandonPolicy.RETRY, 1000));

        assertThat(job.store.snapshot(JOB).due())
                .isBetween(job.now().plusSeconds(30), job.now().plusSeconds(60));
    }

    @Test
    void theSkipPolicyGoesToTheNextSlot() {
        job.running();
        job.lapse();
        WatchRequest skip = job.watchRequest(AbandonPolicy.SKIP, 3);

        job.store.watch(JOB, skip);

        assertThat(job.store.snapshot(JOB).due()).isEqualTo(skip.nextDue());
        assertThat(job.store.snapshot(JOB).slot()).isEqualTo(skip.nextDue());
    }

    @Test
    void aResultThatCountsForgivesTheMisses() {
        job.running();
        job.lapse();
        job.watch();
        job.call("HSET", job.keys.record(JOB), "due", "0");
        Grant grant = job.claimed(BOB, nonceOf(BOB));
        job.finish(BOB, grant.fence(), job.success());

        assertThat(job.store.snapshot(JOB).misses()).isZero();
    }

    @Test
    void aScheduleChangedUnderASilentRunTakesEffect() {
        job.running();
        Instant due = job.now().plusSeconds(7200);
        job.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), due);
        job.lapse();
        job.store.watch(JOB, job.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(job.store.snapshot(JOB).due()).isEqualTo(due);
        assertThat(job.store.snapshot(JOB).pendingDue()).isNull();
    }

    @Test
    void theNonceOfASilentHolderIsSpent() {
        job.running();
        job.lapse();
        job.watch();
        job.call("HSET", job.keys.record(JOB), "due", "0");

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
    }

    @Test
    void aLookAtAHealthyJobChangesNothing() {
        job.store.seed(JOB, UID, 1, "m", job.now().plusSeconds(3600), false, SPEC);
        Map<String, Object> before = job.everything();

        job.watch();

        assertThat(job.everything()).isEqualTo(before);
    }
}
