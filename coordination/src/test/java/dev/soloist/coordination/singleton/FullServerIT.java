package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server at its memory limit still lets runs begin, go on and end; else it could never drain. */
class FullServerIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess("--maxmemory-policy", "noeviction");

    private SingletonBench bench;

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
        bench.link.call("CONFIG", "SET", "maxmemory", "0");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void fill() {
        bench.link.call("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> bench.link.call("SET", "more", "x"))
                .isInstanceOfSatisfying(
                        RedisUnavailable.class, full -> assertThat(full.kind()).isEqualTo(RedisUnavailable.Kind.FULL));
    }

    @Test
    void aWholeRunPassesOnAFullServer() {
        bench.due();
        fill();

        assertThat(bench.store.promote(JOB)).isTrue();
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));
        assertThat(bench.claimed(ALICE, nonceOf(ALICE)).repeated()).isTrue();
        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(bench.finish(ALICE, grant.fence(), SingletonBench.done(RunResult.FAILED, bench.now(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(bench.finish(ALICE, new Fence(1, 1), bench.success())).isInstanceOf(Finishing.Late.class);
        bench.claimed(BOB, nonceOf(BOB));
        assertThat(bench.store.release(JOB, BOB, nonceOf(BOB))).isInstanceOf(Releasing.Released.class);
        assertThat(bench.store.release(JOB, BOB, Nonce.create())).isInstanceOf(Releasing.SpentOnly.class);
    }

    @Test
    void theWatchdogAndTheReclaimerWorkOnAFullServer() {
        bench.ready();
        bench.link.call("DEL", bench.keys.ready(JOB));
        fill();

        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.LOST_TOKEN);
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));
        assertThat(bench.store.reclaim(JOB, ALICE, grant.fence(), bench.watchRequest()))
                .isInstanceOf(Reclaim.Reclaimed.class);
        bench.claimed(BOB, nonceOf(BOB));
        bench.link.call("DEL", bench.keys.lock(JOB));
        bench.link.call("HDEL", bench.keys.record(JOB), "lu");
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.ABANDONED);
    }

    @Test
    void theOperatorsWishesPassOnAFullServer() {
        bench.delayed();
        fill();

        bench.store.raiseTerm(JOB, 2);
        assertThat(bench.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), bench.now()))
                .isInstanceOf(SpecUpdate.Updated.class);
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(bench.store.resume(JOB, bench.now())).isEqualTo(SingletonState.DELAYED);
        assertThat(bench.store.triggerNow(JOB, true)).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(bench.store.claim(
                        JOB,
                        new ClaimRequest(
                                2, ALICE, "p", nonceOf(ALICE), TTL, bench.now().plusSeconds(2))))
                .isInstanceOf(Claim.Claimed.class);
        assertThat(bench.store.triggerNow(JOB, false)).isInstanceOf(TriggerNow.AfterRun.class);
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.RUNNING);
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.AfterRun.class);
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
        assertThat(bench.store.seed(JOB, "uid-2", 2, "m", bench.now(), false, SingletonBench.SPEC))
                .isInstanceOf(Seeding.Seeded.class);
    }
}
