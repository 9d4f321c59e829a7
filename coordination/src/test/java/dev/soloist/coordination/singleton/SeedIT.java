package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
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

    private Seeding seed(String uid, long term, boolean seeded) {
        return job.store.seed(JOB, uid, term, "mark-of-" + uid, job.now().plusSeconds(60), seeded, SPEC);
    }

    @Test
    void theFirstSeedWritesRecordTokenAndMark() {
        Instant due = job.now().plusSeconds(60);

        Seeding seeding = job.store.seed(JOB, UID, 3, "mark-1", due, false, SPEC);

        assertThat(seeding).isEqualTo(new Seeding.Seeded(1, 3));
        String ms = String.valueOf(due.toEpochMilli());
        assertThat(job.record())
                .containsAllEntriesOf(Map.of("st", "DELAYED", "gen", "1", "uid", UID, "term", "3", "fence", "0"))
                .containsAllEntriesOf(Map.of("due", ms, "slot", ms, "nb", "0", "att", "0", "rev", "1"))
                .containsEntry("sched", "every 1h");
        assertThat(job.delayedTokens()).containsExactly("1", ms);
        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.store.snapshot(JOB).mark()).isEqualTo("mark-1");
    }

    @Test
    void aSecondSeedChangesNothing() {
        job.ready();
        Map<String, Object> before = job.everything();

        assertThat(seed(UID, 9, true)).isEqualTo(new Seeding.Present(SingletonState.READY, "mark-1", UID));
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void aRecordThatWasSeededBeforeAndIsGoneIsLostDataAndNothingIsWritten() {
        assertThat(seed(UID, 1, true)).isInstanceOf(Seeding.DataLoss.class);

        assertThat(job.number("DBSIZE")).isZero();
        assertThat(seed(UID, 2, false)).isEqualTo(new Seeding.Seeded(1, 2));
    }

    @Test
    void aDeletedUidCannotBeRaised() {
        job.deleted();

        assertThat(seed(UID, 1, true)).isInstanceOf(Seeding.Gone.class);
        assertThat(seed(UID, 1, false)).isInstanceOf(Seeding.Gone.class);
        assertThat(job.state()).isEqualTo(SingletonState.DELETED);
    }

    @Test
    void aNamesakeGoesOnAboveGenerationFenceAndTermOfTheDeletedJob() {
        Grant old = job.running();
        job.store.raiseTerm(JOB, 5);
        job.finish(SingletonUnderTest.ALICE, old.fence(), job.success());
        job.store.delete(JOB, UID);
        assertThat(job.number("PTTL", job.keys.record(JOB))).isPositive();

        assertThat(seed("uid-2", 1, false)).isEqualTo(new Seeding.Seeded(3, 6));

        assertThat(job.number("PTTL", job.keys.record(JOB))).isEqualTo(-1);
        assertThat(job.record())
                .containsEntry("fence", String.valueOf(old.fence().sequence()));
        assertThat(job.store.history(JOB)).isEmpty();
        assertThat(job.store.snapshot(JOB).mark()).isEqualTo("mark-of-uid-2");
    }

    @Test
    void aClaimOfADeletedJobThatComesLateWinsNothingOfItsNamesake() {
        job.ready();
        Nonce nonce = SingletonUnderTest.nonceOf(SingletonUnderTest.ALICE);
        job.store.release(JOB, SingletonUnderTest.ALICE, nonce);
        job.store.delete(JOB, UID);
        job.store.seed(JOB, "uid-2", 1, "mark-2", job.now(), false, SPEC);

        assertThat(job.claim(SingletonUnderTest.ALICE, nonce)).isEqualTo(new Claim.StaleTerm(2));

        assertThat(job.state()).isEqualTo(SingletonState.DELAYED);
    }

    @Test
    void aNamesakeWaitsForTheRunOfADeletedJob() {
        job.running();
        job.store.delete(JOB, UID);

        assertThat(seed("uid-2", 1, false)).isInstanceOf(Seeding.Waiting.class);
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aNamesakeSeesWhoseRecordStandsInItsWay() {
        job.delayed();

        assertThat(seed("uid-2", 1, false)).isEqualTo(new Seeding.Present(SingletonState.DELAYED, "mark-1", UID));
    }

    @Test
    void aLeaseWithoutARecordIsWaitedFor() {
        job.call("SET", job.lease(), "somebody", "PX", "60000");

        assertThat(seed(UID, 1, false)).isInstanceOf(Seeding.Waiting.class);
        assertThat(job.record()).isEmpty();
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
        assertThat(job.delayedTokens()).hasSize(2);
    }
}
