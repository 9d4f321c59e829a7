package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SeedIT {

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

    private Seeding seed(String uid, long term, boolean seeded) {
        return bench.store.seed(JOB, uid, term, "mark-of-" + uid, bench.now().plusSeconds(60), seeded, SPEC);
    }

    @Test
    void theFirstSeedWritesRecordTokenAndMark() {
        Instant due = bench.now().plusSeconds(60);

        Seeding seeding = bench.store.seed(JOB, UID, 3, "mark-1", due, false, SPEC);

        assertThat(seeding).isEqualTo(new Seeding.Seeded(1, 3));
        String ms = String.valueOf(due.toEpochMilli());
        assertThat(bench.record())
                .containsAllEntriesOf(Map.of("st", "DELAYED", "gen", "1", "uid", UID, "term", "3", "fence", "0"))
                .containsAllEntriesOf(Map.of("due", ms, "slot", ms, "nb", "0", "att", "0", "rev", "1"))
                .containsEntry("sched", "every 1h");
        assertThat(bench.delayedTokens()).containsExactly("1", ms);
        assertThat(bench.readyTokens()).isEmpty();
        assertThat(bench.store.snapshot(JOB).mark()).isEqualTo("mark-1");
    }

    @Test
    void aSecondSeedChangesNothing() {
        bench.ready();
        Map<String, Object> before = bench.everything();

        assertThat(seed(UID, 9, true)).isEqualTo(new Seeding.Present(SingletonState.READY, "mark-1", UID));
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aRecordThatWasSeededBeforeAndIsGoneIsLostDataAndNothingIsWritten() {
        assertThat(seed(UID, 1, true)).isInstanceOf(Seeding.DataLoss.class);

        assertThat(bench.number("DBSIZE")).isZero();
        assertThat(seed(UID, 2, false)).isEqualTo(new Seeding.Seeded(1, 2));
    }

    @Test
    void aDeletedUidCannotBeRaised() {
        bench.deleted();

        assertThat(seed(UID, 1, true)).isInstanceOf(Seeding.Gone.class);
        assertThat(seed(UID, 1, false)).isInstanceOf(Seeding.Gone.class);
        assertThat(bench.state()).isEqualTo(SingletonState.DELETED);
    }

    @Test
    void aNamesakeGoesOnAboveGenerationFenceAndTermOfTheDeletedJob() {
        Grant old = bench.running();
        bench.store.raiseTerm(JOB, 5);
        bench.finish(SingletonBench.ALICE, old.fence(), bench.success());
        bench.store.delete(JOB, UID);
        assertThat(bench.number("PTTL", bench.keys.record(JOB))).isPositive();

        assertThat(seed("uid-2", 1, false)).isEqualTo(new Seeding.Seeded(3, 5));

        assertThat(bench.number("PTTL", bench.keys.record(JOB))).isEqualTo(-1);
        assertThat(bench.record())
                .containsEntry("fence", String.valueOf(old.fence().sequence()));
        assertThat(bench.store.history(JOB)).isEmpty();
        assertThat(bench.store.snapshot(JOB).mark()).isEqualTo("mark-of-uid-2");
    }

    @Test
    void aNamesakeWaitsForTheRunOfADeletedJob() {
        bench.running();
        bench.store.delete(JOB, UID);

        assertThat(seed("uid-2", 1, false)).isInstanceOf(Seeding.Waiting.class);
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aNamesakeSeesWhoseRecordStandsInItsWay() {
        bench.delayed();

        assertThat(seed("uid-2", 1, false)).isEqualTo(new Seeding.Present(SingletonState.DELAYED, "mark-1", UID));
    }

    @Test
    void aLeaseWithoutARecordIsWaitedFor() {
        bench.link.call("SET", bench.keys.lock(JOB), "somebody", "PX", "60000");

        assertThat(seed(UID, 1, false)).isInstanceOf(Seeding.Waiting.class);
        assertThat(bench.record()).isEmpty();
    }

    @Test
    void t03_manyOperatorsThatSeedAtOnceMakeOneToken() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Seeding>> seeds = IntStream.range(0, 20)
                    .<Callable<Seeding>>mapToObj(i -> () -> seed(UID, 1, false))
                    .toList();
            int made = 0;
            for (Future<Seeding> seeding : pool.invokeAll(seeds)) {
                made += seeding.get() instanceof Seeding.Seeded ? 1 : 0;
            }
            assertThat(made).isEqualTo(1);
        }
        assertThat(bench.delayedTokens()).hasSize(2);
    }
}
