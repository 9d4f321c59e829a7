package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
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

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS.link());
        job.link.call("CONFIG", "SET", "maxmemory", "0");
    }

    @AfterEach
    void close() {
        job.close();
    }

    private void fill() {
        job.link.call("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> job.link.call("SET", "soloist:main:more", "x"))
                .isInstanceOfSatisfying(
                        RedisUnavailable.class, full -> assertThat(full.kind()).isEqualTo(RedisUnavailable.Kind.FULL));
    }

    @Test
    void aWholeRunPassesOnAFullServer() {
        job.due();
        fill();

        assertThat(job.store.promote(JOB)).isTrue();
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));
        assertThat(job.claimed(ALICE, nonceOf(ALICE)).repeated()).isTrue();
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(job.finish(ALICE, grant.fence(), SingletonUnderTest.done(RunResult.FAILED, job.now(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(job.finish(ALICE, new Fence(1, 1), job.success())).isInstanceOf(Finishing.Late.class);
        job.claimed(BOB, nonceOf(BOB));
        assertThat(job.store.release(JOB, BOB, nonceOf(BOB))).isInstanceOf(Releasing.Released.class);
        assertThat(job.store.release(JOB, BOB, Nonce.create())).isInstanceOf(Releasing.SpentOnly.class);
    }

    @Test
    void theWatchdogAndTheReclaimerWorkOnAFullServer() {
        job.ready();
        job.link.call("DEL", job.keys.ready(JOB));
        fill();

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.LOST_TOKEN);
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));
        assertThat(job.store.reclaim(JOB, ALICE, grant.fence(), job.watchRequest()))
                .isInstanceOf(Reclaim.Reclaimed.class);
        job.claimed(BOB, nonceOf(BOB));
        job.link.call("DEL", job.lease());
        job.link.call("HDEL", job.keys.record(JOB), "lu");
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.ABANDONED);
    }

    @Test
    void theOperatorsWishesPassOnAFullServer() {
        job.delayed();
        fill();

        job.store.raiseTerm(JOB, 2);
        assertThat(job.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), job.now()))
                .isInstanceOf(SpecUpdate.Updated.class);
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(job.store.resume(JOB, job.now())).isEqualTo(SingletonState.DELAYED);
        assertThat(job.store.triggerNow(JOB, true)).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(job.store.claim(
                        JOB,
                        new ClaimRequest(
                                2, ALICE, "p", nonceOf(ALICE), TTL, job.now().plusSeconds(2))))
                .isInstanceOf(Claim.Claimed.class);
        assertThat(job.store.triggerNow(JOB, false)).isInstanceOf(TriggerNow.AfterRun.class);
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.RUNNING);
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.AfterRun.class);
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
        assertThat(job.store.seed(JOB, "uid-2", 2, "m", job.now(), false, SingletonUnderTest.SPEC))
                .isInstanceOf(Seeding.Seeded.class);
    }
}
