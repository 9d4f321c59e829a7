package dev.soloist.coordination.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases of jobs with the back end Hash, beside those of apps: one look shows them all. */
class JobLeasesIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final InstanceId POD = new InstanceId("pod-uid-aaaaaa");

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private final RedisKeys keys = new RedisKeys(Install.MAIN);
    private RedisLink link;
    private SingletonStore jobs;
    private Leases leases;

    @BeforeEach
    void open() {
        link = REDIS.link();
        jobs = new SingletonStore(new ScriptRunner(link), keys, Backend.HASH);
        leases = new Leases(new ScriptRunner(link), keys, "shop");
    }

    @AfterEach
    void close() {
        link.close();
    }

    private Grant run(String name, Duration ttl) {
        var job = new JobId("shop", name);
        jobs.seed(job, "uid", 1, "mark", link.now().minusMillis(10), false, new SpecRevision("1", "every 1h"));
        var request =
                new ClaimRequest(1, POD, "pod", Nonce.create(), ttl, link.now().plusSeconds(2));
        return ((Claim.Claimed) jobs.claim(job, request)).grant();
    }

    @Test
    void oneLookShowsTheLeasesOfJobsAndOfAppsTheNextToEndFirst() {
        Grant grant = run("report", MINUTE);
        run("cleanup", Duration.ofMinutes(5));
        leases.acquire(new LeaseName("report"), new LeaseHolder("u", "p"), Nonce.create(), Duration.ofMinutes(2));

        assertThat(leases.list().leases()).extracting(LeaseView::name).containsExactly("report", "report", "cleanup");
        assertThat(leases.list().leases().getFirst()).isInstanceOfSatisfying(LeaseView.OfJob.class, lease -> {
            assertThat(lease.holder()).isEqualTo(POD);
            assertThat(lease.sequence()).isEqualTo(grant.fence().sequence());
        });
        assertThat(leases.endingWithin(Duration.ofMinutes(3)).leases()).hasSize(2);
    }

    @Test
    void aLeaseOfAJobThatIsOverIsNotListedAndTheNextToTakeOneRemovesIt() {
        run("report", Duration.ofMillis(50));

        await().until(() -> leases.list().leases().isEmpty());
        assertThat(link.call("ZCARD", keys.leaseEnds("shop"))).containsExactly(1L);
        run("cleanup", MINUTE);
        assertThat(link.call("ZCARD", keys.leaseEnds("shop"))).containsExactly(1L);
        assertThat(link.call("HLEN", keys.leases("shop"))).containsExactly(1L);
    }

    @Test
    void aThousandLeasesThatAreOverAreRemovedSixteenAtATime() {
        for (int i = 0; i < 1000; i++) {
            link.call("ZADD", keys.leaseEnds("shop"), String.valueOf(i + 1), "job/old-" + i);
            link.call("HSET", keys.leases("shop"), "job/old-" + i, "pod-uid-aaaaaa|n|" + i);
        }

        run("report", MINUTE);

        assertThat(link.call("ZCARD", keys.leaseEnds("shop"))).containsExactly(985L);
        assertThat(leases.list().leases()).hasSize(1);
    }

    @Test
    void jobsOfOneNameUnderBothBackEndsDoNotKnowOfEachOther() {
        run("report", MINUTE);
        var others = new SingletonStore(new ScriptRunner(link), keys, Backend.STRING);

        assertThat(others.snapshot(new JobId("shop", "report")).current()).isNull();
    }
}
