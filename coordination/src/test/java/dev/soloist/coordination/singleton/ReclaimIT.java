package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReclaimIT {

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

    private Reclaim reclaim(Fence fence) {
        return bench.store.reclaim(JOB, ALICE, fence, bench.watchRequest());
    }

    @Test
    void theSlotOfADeadInstanceIsReadyAtOnceThoughItsLeaseLives() {
        Grant first = bench.running();

        assertThat(reclaim(first.fence())).isEqualTo(new Reclaim.Reclaimed(SingletonState.READY));

        assertThat(bench.lock()).isEmpty();
        assertThat(bench.readyTokens()).containsExactly("2");
        Grant second = bench.claimed(BOB, nonceOf(BOB));
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(bench.store.history(JOB))
                .singleElement()
                .extracting(RunSummary::result)
                .isEqualTo(RunResult.ABANDONED);
    }

    @Test
    void r02_anotherInstanceOrAnotherFenceIsNotTouched() {
        Grant grant = bench.running();
        Map<String, Object> before = bench.everything();
        Fence fence = grant.fence();

        assertThat(bench.store.reclaim(JOB, BOB, fence, bench.watchRequest())).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(reclaim(new Fence(fence.term(), fence.sequence() - 1))).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(reclaim(new Fence(fence.term() + 1, fence.sequence()))).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void twoReclaimersMakeOneNewSlot() {
        Grant grant = bench.running();
        reclaim(grant.fence());
        Map<String, Object> before = bench.everything();

        assertThat(reclaim(grant.fence())).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void theDeadHoldersOwnCallsComeTooLate() {
        Grant grant = bench.running();
        reclaim(grant.fence());

        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), SingletonBench.TTL))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
    }

    @Test
    void aJobThatKillsItsPodsWaitsForItsNextSlotAfterTheMissesAllowed() {
        Grant grant = bench.running();
        bench.link.call("HSET", bench.keys.record(JOB), "misses", "3");
        WatchRequest request = bench.watchRequest();

        assertThat(bench.store.reclaim(JOB, ALICE, grant.fence(), request))
                .isEqualTo(new Reclaim.Reclaimed(SingletonState.DELAYED));
        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(request.nextDue());
    }

    @Test
    void theSkipPolicyTakesAScheduleChangedUnderTheRun() {
        Grant grant = bench.running();
        Instant due = bench.now().plusSeconds(7200);
        bench.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), due);

        bench.store.reclaim(JOB, ALICE, grant.fence(), bench.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aSuspendedOrDeletedJobEndsThere() {
        Grant grant = bench.running();
        bench.store.suspend(JOB);
        assertThat(reclaim(grant.fence())).isEqualTo(new Reclaim.Reclaimed(SingletonState.PAUSED));

        bench.store.resume(JOB, bench.now());
        Grant second = bench.claimed(BOB, nonceOf(BOB));
        bench.store.delete(JOB, UID);
        assertThat(bench.store.reclaim(JOB, BOB, second.fence(), bench.watchRequest()))
                .isEqualTo(new Reclaim.Reclaimed(SingletonState.DELETED));
        assertThat(bench.number("EXISTS", bench.keys.mark(JOB))).isZero();
    }
}
