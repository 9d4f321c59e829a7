package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.RedisProcess;
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
    static final RedisProcess REDIS = new RedisProcess();

    private SingletonBench bench;

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** One row of the decision table: what is there, what is said, and what stands afterwards. */
    record Row(String name, Consumer<SingletonBench> given, WatchVerdict verdict, SingletonState after) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> table() {
        return Stream.of(
                new Row("ready with its token", SingletonBench::ready, WatchVerdict.OK, SingletonState.READY),
                new Row(
                        "ready without a token",
                        b -> b.ready().link.call("DEL", b.keys.ready(JOB)),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with two tokens",
                        b -> b.ready().link.call("RPUSH", b.keys.ready(JOB), "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with a stale token",
                        b -> {
                            b.ready().link.call("DEL", b.keys.ready(JOB));
                            b.link.call("RPUSH", b.keys.ready(JOB), "77");
                        },
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row(
                        "ready with a token key of a wrong type",
                        b -> {
                            b.ready().link.call("DEL", b.keys.ready(JOB));
                            b.link.call("SET", b.keys.ready(JOB), "1");
                        },
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.READY),
                new Row("delayed with its token", SingletonBench::delayed, WatchVerdict.OK, SingletonState.DELAYED),
                new Row("overdue", SingletonBench::due, WatchVerdict.PROMOTED, SingletonState.READY),
                new Row(
                        "overdue and its token lost",
                        b -> b.due().link.call("DEL", b.keys.delayed(JOB)),
                        WatchVerdict.PROMOTED,
                        SingletonState.READY),
                new Row(
                        "delayed without a token",
                        b -> b.delayed().link.call("DEL", b.keys.delayed(JOB)),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with another moment",
                        b -> b.delayed().link.call("ZADD", b.keys.delayed(JOB), "5", "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with two tokens",
                        b -> b.delayed().link.call("ZADD", b.keys.delayed(JOB), "5", "0"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row(
                        "delayed with a ready token",
                        b -> b.delayed().link.call("RPUSH", b.keys.ready(JOB), "1"),
                        WatchVerdict.LOST_TOKEN,
                        SingletonState.DELAYED),
                new Row("running", SingletonBench::running, WatchVerdict.OK, SingletonState.RUNNING),
                new Row(
                        "running with a lock that has no end",
                        b -> {
                            b.running();
                            b.link.call("PERSIST", b.keys.lock(JOB));
                        },
                        WatchVerdict.CORRUPT,
                        SingletonState.RUNNING),
                new Row(
                        "running with the lock of somebody else",
                        b -> {
                            b.running();
                            b.link.call("SET", b.keys.lock(JOB), "somebody", "PX", "60000");
                        },
                        WatchVerdict.CORRUPT,
                        SingletonState.RUNNING),
                new Row(
                        "running with a vanished lock before the end of the lease",
                        b -> {
                            b.running();
                            b.link.call("DEL", b.keys.lock(JOB));
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
                new Row("paused", SingletonBench::paused, WatchVerdict.OK, SingletonState.PAUSED),
                new Row(
                        "paused with tokens",
                        b -> {
                            b.paused().link.call("ZADD", b.keys.delayed(JOB), "5", "0");
                            b.link.call("RPUSH", b.keys.ready(JOB), "1");
                        },
                        WatchVerdict.OK,
                        SingletonState.PAUSED),
                new Row("deleted", SingletonBench::deleted, WatchVerdict.OK, SingletonState.DELETED),
                new Row("nothing", b -> {}, WatchVerdict.ABSENT, SingletonState.ABSENT),
                new Row(
                        "a lock without a record",
                        b -> b.link.call("SET", b.keys.lock(JOB), "somebody", "PX", "60000"),
                        WatchVerdict.WAIT,
                        SingletonState.ABSENT),
                new Row(
                        "ready with a foreign lock that ends",
                        b -> b.ready().link.call("SET", b.keys.lock(JOB), "somebody", "PX", "60000"),
                        WatchVerdict.OK,
                        SingletonState.READY),
                new Row(
                        "ready with a foreign lock that has no end",
                        b -> b.ready().link.call("SET", b.keys.lock(JOB), "somebody"),
                        WatchVerdict.CORRUPT,
                        SingletonState.READY),
                new Row(
                        "a lock of a wrong type",
                        b -> b.ready().link.call("HSET", b.keys.lock(JOB), "wrong", "type"),
                        WatchVerdict.CORRUPT,
                        SingletonState.READY),
                new Row(
                        "a record that says nothing we know",
                        b -> b.delayed().link.call("HSET", b.keys.record(JOB), "gen", "x"),
                        WatchVerdict.CORRUPT,
                        SingletonState.DELAYED));
    }

    @ParameterizedTest
    @MethodSource("table")
    void t05_eachStateGetsItsVerdictAndItsOneToken(Row row) {
        row.given().accept(bench);

        assertThat(bench.watch().verdict()).isEqualTo(row.verdict());

        Map<String, String> record = bench.record();
        assertThat(record.getOrDefault("st", "ABSENT")).isEqualTo(row.after().name());
        if (row.verdict() == WatchVerdict.CORRUPT) {
            return;
        }
        String generation = record.getOrDefault("gen", "");
        switch (row.after()) {
            case READY -> {
                assertThat(bench.readyTokens()).containsExactly(generation);
                assertThat(bench.delayedTokens()).isEmpty();
            }
            case DELAYED -> {
                assertThat(bench.delayedTokens()).containsExactly(generation, record.get("due"));
                assertThat(bench.readyTokens()).isEmpty();
            }
            case RUNNING, PAUSED, DELETED, ABSENT -> {
                assertThat(bench.readyTokens()).isEmpty();
                assertThat(bench.delayedTokens()).isEmpty();
            }
        }
        assertThat(bench.watch().verdict()).isIn(WatchVerdict.OK, WatchVerdict.WAIT, WatchVerdict.ABSENT);
    }

    @Test
    void w03_aLockWithoutAnEndIsReportedAndGetsTheLeasesOwnEnd() {
        bench.running();
        bench.link.call("PERSIST", bench.keys.lock(JOB));

        bench.watch();

        assertThat(bench.number("PTTL", bench.keys.lock(JOB))).isBetween(25_000L, 30_000L);
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void w03_aForeignLockIsNeverTakenAway() {
        bench.ready();
        bench.link.call("SET", bench.keys.lock(JOB), "somebody");

        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);
        assertThat(bench.lock()).isEqualTo("somebody");
        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isEqualTo(new Claim.Busy(Claim.UNTIL_WOKEN));
    }

    @Test
    void l10_aRunOfAnyAgeIsLeftAloneWhileItsLeaseLives() {
        bench.running();
        bench.link.call("HSET", bench.keys.record(JOB), "startedAt", "1");

        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void theGraceIsWaitedOut() {
        bench.running();
        bench.lapse();
        WatchRequest patient = new WatchRequest(
                Duration.ofSeconds(60),
                AbandonPolicy.RETRY,
                bench.now(),
                new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(60)),
                3);

        assertThat(bench.store.watch(JOB, patient).verdict()).isEqualTo(WatchVerdict.WAIT);
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.ABANDONED);
    }

    @Test
    void anAbandonedRunNamesItsHolderAndStandsInTheHistory() {
        Grant grant = bench.running();
        bench.lapse();

        assertThat(bench.watch())
                .isEqualTo(new Watch.Abandoned(ALICE, "pod-alice-uid", grant.fence(), SingletonState.DELAYED));

        SingletonSnapshot job = bench.store.snapshot(JOB, 20);
        assertThat(job.generation()).isEqualTo(2);
        assertThat(job.misses()).isEqualTo(1);
        assertThat(job.fails()).isEqualTo(1);
        assertThat(job.last().result()).isEqualTo(RunResult.ABANDONED);
        assertThat(job.history()).singleElement().satisfies(run -> {
            assertThat(run.result()).isEqualTo(RunResult.ABANDONED);
            assertThat(run.fence()).isEqualTo(grant.fence());
            assertThat(run.slot()).isEqualTo(grant.scheduledAt());
        });
    }

    @Test
    void aSilentSlotIsRetriedWithGrowingWaitsThenSkipped() {
        Grant first = bench.running();
        long[] waits = new long[4];
        for (int miss = 0; miss < 4; miss++) {
            bench.lapse();
            Instant before = bench.now();
            bench.watch();
            SingletonSnapshot job = bench.store.snapshot(JOB);
            waits[miss] = Duration.between(before, job.due()).toSeconds();
            if (miss < 3) {
                assertThat(job.slot()).isEqualTo(first.scheduledAt());
                assertThat(job.attempt()).isEqualTo(miss + 1);
            } else {
                assertThat(job.slot()).isEqualTo(job.due());
                assertThat(job.attempt()).isZero();
            }
            bench.link.call("HSET", bench.keys.record(JOB), "due", "0");
            bench.claimed(ALICE, Nonce.create());
        }

        assertThat(waits[0]).isEqualTo(1);
        assertThat(waits[1]).isEqualTo(2);
        assertThat(waits[2]).isEqualTo(4);
        assertThat(waits[3]).isBetween(3590L, 3600L);
    }

    @Test
    void theCapLimitsTheWait() {
        bench.running();
        bench.link.call("HSET", bench.keys.record(JOB), "misses", "900");
        bench.lapse();
        bench.store.watch(JOB, bench.watchRequest(AbandonPolicy.RETRY, 1000));

        assertThat(bench.store.snapshot(JOB).due())
                .isBetween(bench.now().plusSeconds(58), bench.now().plusSeconds(60));
    }

    @Test
    void theSkipPolicyGoesToTheNextSlot() {
        bench.running();
        bench.lapse();
        WatchRequest skip = bench.watchRequest(AbandonPolicy.SKIP, 3);

        bench.store.watch(JOB, skip);

        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(skip.nextDue());
        assertThat(bench.store.snapshot(JOB).slot()).isEqualTo(skip.nextDue());
    }

    @Test
    void aResultThatCountsForgivesTheMisses() {
        bench.running();
        bench.lapse();
        bench.watch();
        bench.link.call("HSET", bench.keys.record(JOB), "due", "0");
        Grant grant = bench.claimed(BOB, nonceOf(BOB));
        bench.finish(BOB, grant.fence(), bench.success());

        assertThat(bench.store.snapshot(JOB).misses()).isZero();
    }

    @Test
    void aScheduleChangedUnderASilentRunTakesEffect() {
        bench.running();
        Instant due = bench.now().plusSeconds(7200);
        bench.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), due);
        bench.lapse();
        bench.store.watch(JOB, bench.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(due);
        assertThat(bench.store.snapshot(JOB).pendingDue()).isNull();
    }

    @Test
    void theNonceOfASilentHolderIsSpent() {
        bench.running();
        bench.lapse();
        bench.watch();
        bench.link.call("HSET", bench.keys.record(JOB), "due", "0");

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
    }

    @Test
    void aLookAtAHealthyJobChangesNothing() {
        bench.store.seed(JOB, UID, 1, "m", bench.now().plusSeconds(3600), false, SPEC);
        Map<String, Object> before = bench.everything();

        bench.watch();

        assertThat(bench.everything()).isEqualTo(before);
    }
}
