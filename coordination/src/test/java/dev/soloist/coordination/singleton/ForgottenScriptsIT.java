package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ForgottenScriptsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess("--appendonly", "yes", "--appendfsync", "always");

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS.link());
    }

    @AfterEach
    void close() {
        job.close();
    }

    private SingletonStore forgotten() {
        job.link.call("SCRIPT", "FLUSH");
        return job.store;
    }

    @Test
    void f03_aServerThatForgetsItsScriptsBeforeEveryStepServesEveryStep() {
        assertThat(forgotten().seed(JOB, UID, 1, "m", job.now(), false, SPEC)).isInstanceOf(Seeding.Seeded.class);
        assertThat(forgotten().promote(JOB)).isTrue();
        Claim claim = forgotten().claim(JOB, job.request(ALICE, nonceOf(ALICE), TTL));
        assertThat(forgotten().renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(forgotten().watch(JOB, job.watchRequest()).verdict()).isEqualTo(WatchVerdict.OK);
        Fence fence = ((Claim.Claimed) claim).grant().fence();
        assertThat(forgotten().finish(JOB, ALICE, nonceOf(ALICE), fence, job.success()))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(forgotten().snapshot(JOB, 20).history()).hasSize(1);
        assertThat(forgotten().triggerNow(JOB, true)).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(forgotten().suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(forgotten().resume(JOB, job.now())).isEqualTo(SingletonState.DELAYED);
        assertThat(forgotten().delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }

    @Test
    void f03_aRunOutlivesARestartOfAServerThatKeepsItsFile() {
        Grant grant = job.running();

        REDIS.stop();
        REDIS.start();
        await().until(job.link::isConnected);

        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
    }
}
