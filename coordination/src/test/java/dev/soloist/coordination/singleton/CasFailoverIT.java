package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.CasMode;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A failover that loses the last writes, as asynchronous replication may. It shows what our side makes of an older string;
 * which writes a Pika loses, and what its replicas make of {@code VX}, is not shown here.
 */
@CasMode
class CasFailoverIT {

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

    private void failOver() {
        REDIS.pika().failOver();
        await().until(job.link::isConnected);
    }

    /** The weaker guarantee: exclusive while one primary keeps its data. The fence tells the two apart. */
    @Test
    void f01_aClaimThatIsLostLetsAnotherBeginWithAHigherFenceAndItsHolderIsTold() {
        job.ready();
        REDIS.pika().replicate();
        Grant lost = job.claimed(ALICE, nonceOf(ALICE));

        failOver();
        Grant second = job.claimed(BOB, nonceOf(BOB));

        assertThat(second.fence()).isGreaterThan(lost.fence());
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(job.finish(ALICE, lost.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.finish(BOB, second.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
    }

    @Test
    void f01_aLostRenewalShortensTheLeaseAndNeverLengthensIt() {
        job.running();
        REDIS.pika().replicate();
        var before = job.store.snapshot(JOB).current().leaseEnd();
        job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL.multipliedBy(2));

        failOver();

        assertThat(job.store.snapshot(JOB).current().leaseEnd()).isEqualTo(before);
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void aStepIsLostWholeOrNotAtAll() {
        Grant grant = job.running();
        REDIS.pika().replicate();
        Map<String, Object> before = job.everything();
        job.finish(ALICE, grant.fence(), job.success());

        failOver();

        assertThat(job.everything()).isEqualTo(before);
        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
    }

    @Test
    void t03_aRecordThatIsLostIsNotSeededSilently() {
        REDIS.pika().replicate();
        job.delayed();

        failOver();

        assertThat(job.store.seed(JOB, "uid-1", 2, "mark-1", job.now(), true, SingletonUnderTest.SPEC))
                .isInstanceOf(Seeding.DataLoss.class);
    }
}
