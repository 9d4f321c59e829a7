package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is often done wrong with locks and queues in Redis, and cannot be done here. Each test is named after it. */
class AntiPatternsIT {

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

    @Test
    void oneIdSharedByAllInstances_isNeverGivenOut() {
        var ids = IntStream.range(0, 1000)
                .mapToObj(_ -> InstanceId.create("one-pod-uid"))
                .collect(Collectors.toSet());

        assertThat(ids).hasSize(1000).allMatch(id -> id.podUid().equals("one-pod-uid"));
    }

    /** Even two processes that went by one name could not pass for each other: a lease is known by the nonce of its claim. */
    @Test
    void oneIdSharedByAllInstances_letsNobodyUseTheLeaseOfAnother() {
        var shared = ALICE;
        Nonce holder = new Nonce("of-the-holder");
        Nonce namesake = new Nonce("of-the-namesake");
        job.due();
        Grant grant = job.claimed(shared, holder);

        assertThat(job.claim(shared, namesake)).isInstanceOf(Claim.NotDue.class);
        assertThat(job.store.renew(JOB, shared, namesake, TTL)).isInstanceOf(Renewal.Lost.class);
        assertThat(job.store.release(JOB, shared, namesake)).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(job.store.finish(JOB, shared, namesake, grant.fence(), job.success()))
                .isInstanceOf(Finishing.Late.class);
        assertThat(job.store.renew(JOB, shared, holder, TTL)).isInstanceOf(Renewal.Renewed.class);
    }

    /** An observer who reads everything at once, again and again, sees no state half-made: above all no lock without an end. */
    @Test
    void stepsThatAreNotAtomic() throws Exception {
        job.due();
        var working = new AtomicBoolean(true);
        var worker = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 200; i++) {
                var nonce = Nonce.create();
                if (job.claim(ALICE, nonce) instanceof Claim.Claimed(var grant)) {
                    var soon = SingletonUnderTest.done(
                            RunResult.SUCCEEDED, job.now().minusMillis(1), false);
                    job.store.finish(JOB, ALICE, nonce, grant.fence(), soon);
                }
            }
            working.set(false);
        });
        int seen = 0;
        try (var observer = new SingletonUnderTest(REDIS)) {
            while (working.get()) {
                var snapshot = observer.store.snapshot(JOB);
                assertThat(snapshot.state()).isIn(SingletonState.RUNNING, SingletonState.DELAYED);
                boolean running = snapshot.state() == SingletonState.RUNNING;
                assertThat(snapshot.leaseRemaining() != null)
                        .as("a lock that ends, of %s", snapshot)
                        .isEqualTo(running);
                assertThat(snapshot.current() != null).isEqualTo(running);
                seen++;
            }
        }
        worker.join();
        assertThat(seen).isGreaterThan(20);
        assertThat(job.store.snapshot(JOB).runs()).isEqualTo(200);
    }

    /** Who takes the token out of the queue holds nothing, and who has none is kept out by the lease alone. */
    @Test
    void aQueueTakenForAMutex() {
        job.ready();
        assertThat(job.call("LPOP", job.keys.ready(JOB))).isNotEmpty();

        assertThat(job.store.renew(JOB, BOB, nonceOf(BOB), TTL)).isInstanceOf(Renewal.Lost.class);
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));

        job.call("RPUSH", job.keys.ready(JOB), "1");
        assertThat(job.call("LPOP", job.keys.ready(JOB))).isNotEmpty();
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
        assertThat(job.store.snapshot(JOB).current().fence()).isEqualTo(grant.fence());
    }

    /** The lock goes with the end of the run, and the slot goes with it: there is nothing left to run. */
    @ParameterizedTest
    @EnumSource(ReleasePolicy.class)
    void aReleaseThatLetsASingletonRunAgain(ReleasePolicy release) {
        Grant grant = job.running();
        var end = new FinishRequest(
                RunResult.SUCCEEDED, "", job.now().plusSeconds(3600), false, release, Duration.ofMinutes(5));

        job.finish(ALICE, grant.fence(), end);
        job.finish(ALICE, grant.fence(), end);
        job.store.release(JOB, ALICE, nonceOf(ALICE));

        assertThat(job.lock()).isEmpty();
        for (int i = 0; i < 20; i++) {
            assertThat(job.claim(BOB, new Nonce("again-" + i))).isInstanceOf(Claim.NotDue.class);
        }
        assertThat(job.store.triggerNow(JOB, false) instanceof TriggerNow.Refused)
                .as("a wish is refused under a hold")
                .isEqualTo(release != ReleasePolicy.ON_COMPLETION);
        assertThat(job.store.snapshot(JOB).runs()).isEqualTo(1);
    }
}
