package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReleaseIT {

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

    @Test
    void aLeaseGivenBackIsReadyAtOnceWithTheSameSlotAndAttempt() {
        Grant first = bench.running();

        assertThat(bench.store.release(JOB, ALICE, nonceOf(ALICE)))
                .isEqualTo(new Releasing.Released(SingletonState.READY));

        assertThat(bench.readyTokens()).containsExactly("1");
        Grant second = bench.claimed(BOB, nonceOf(BOB));
        assertThat(second.generation()).isEqualTo(first.generation());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(bench.store.history(JOB))
                .singleElement()
                .extracting(RunSummary::result)
                .isEqualTo(RunResult.INTERRUPTED);
    }

    @Test
    void aSecondReleaseHasNoFurtherEffect() {
        bench.running();
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        bench.claimed(BOB, nonceOf(BOB));
        Map<String, Object> before = bench.everything();

        assertThat(bench.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void givingUpAClaimDoesNotTouchTheLeaseOfAnother() {
        bench.running();
        String lock = bench.lock();

        assertThat(bench.store.release(JOB, BOB, nonceOf(BOB))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(bench.store.release(JOB, ALICE, Nonce.create())).isInstanceOf(Releasing.SpentOnly.class);

        assertThat(bench.lock()).isEqualTo(lock);
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aReleaseOfAJobThatWasSuspendedOrDeletedEndsThere() {
        bench.running();
        bench.store.suspend(JOB);
        assertThat(bench.store.release(JOB, ALICE, nonceOf(ALICE)))
                .isEqualTo(new Releasing.Released(SingletonState.PAUSED));
        assertThat(bench.readyTokens()).isEmpty();

        bench.store.resume(JOB, bench.now());
        bench.claimed(BOB, nonceOf(BOB));
        bench.store.delete(JOB, UID);
        assertThat(bench.store.release(JOB, BOB, nonceOf(BOB)))
                .isEqualTo(new Releasing.Released(SingletonState.DELETED));
        assertThat(bench.number("PTTL", bench.keys.record(JOB))).isPositive();
    }

    @Test
    void aResultAfterTheReleaseIsLate() {
        Grant grant = bench.running();
        bench.store.release(JOB, ALICE, nonceOf(ALICE));

        assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.state()).isEqualTo(SingletonState.READY);
    }

    @Test
    void aReleaseWithoutARecordMakesNone() {
        assertThat(bench.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(bench.number("DBSIZE")).isZero();
    }
}
