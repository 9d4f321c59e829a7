package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
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

    private SingletonBench bench;

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private SingletonStore forgotten() {
        bench.link.call("SCRIPT", "FLUSH");
        return bench.store;
    }

    @Test
    void f03_aServerThatForgetsItsScriptsBeforeEveryStepServesEveryStep() {
        assertThat(forgotten().seed(JOB, UID, 1, "m", bench.now(), false, SPEC)).isInstanceOf(Seeding.Seeded.class);
        assertThat(forgotten().promote(JOB)).isTrue();
        Claim claim = forgotten().claim(JOB, bench.request(ALICE, nonceOf(ALICE), TTL));
        assertThat(forgotten().renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(forgotten().watch(JOB, bench.watchRequest()).verdict()).isEqualTo(WatchVerdict.OK);
        Fence fence = ((Claim.Claimed) claim).grant().fence();
        assertThat(forgotten().finish(JOB, ALICE, nonceOf(ALICE), fence, bench.success()))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(forgotten().snapshot(JOB, 20).history()).hasSize(1);
        assertThat(forgotten().triggerNow(JOB, true)).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(forgotten().suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(forgotten().resume(JOB, bench.now())).isEqualTo(SingletonState.DELAYED);
        assertThat(forgotten().delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }

    @Test
    void f03_aRunOutlivesARestartOfAServerThatKeepsItsFile() {
        Grant grant = bench.running();

        REDIS.stop();
        REDIS.start();
        await().until(bench.link::isConnected);

        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Finished.class);
    }
}
