package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.lease.LeaseHolder;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.core.LiveJobs.LiveJob;
import dev.soloist.operator.core.Reclaimer.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is taken from a dead pod: all of it, and one thing that fails holds up no other. */
class ReclaimerIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Duration HOUR = Duration.ofHours(1);
    private static final LeaseHolder DEAD = new LeaseHolder("dead", "shop-1");

    private final List<Taken> taken = new ArrayList<>();
    private RedisLink link;
    private Store store;
    private LiveJobs jobs;

    @BeforeEach
    void open() {
        link = REDIS.link();
        store = new Store(link, Install.MAIN);
        jobs = new LiveJobs();
    }

    @AfterEach
    void close() {
        link.close();
    }

    private void reclaim() {
        new Reclaimer(store, jobs).reclaim("shop", "dead", DeathEvidence.INSTANCE_AND_RUN, taken::add);
    }

    @Test
    void everyLeaseOfADeadPodsAppIsFreedHoweverManyEndBeforeIt() {
        var leases = store.leases("shop");
        for (int i = 0; i < Leases.MOST_LISTED + 10; i++) {
            leases.acquire(new LeaseName("n" + i), new LeaseHolder("living", "shop-2"), Nonce.create(), HOUR);
        }
        for (int i = 0; i < 5; i++) {
            leases.acquire(new LeaseName("dead" + i), DEAD, Nonce.create(), HOUR.plusMinutes(1));
        }

        reclaim();

        var left = new ArrayList<LeaseView>();
        leases.each(left::add);
        assertThat(left)
                .hasSize(Leases.MOST_LISTED + 10)
                .noneMatch(lease -> lease.name().startsWith("dead"));
    }

    @Test
    void whatFailsAboutAJobOrTheLeasesOfAnAppHoldsUpNoOtherJobAndWhatWasTakenIsTold() {
        for (var name : List.of("a", "b", "c")) {
            var job = SampleJobs.queue(name, "uid-" + name);
            jobs.put(new LiveJob(job, Map.of()));
            var instances = store.instances(job.id());
            instances.register(new InstanceId("dead-abcdef"), "shop-1", HOUR);
            instances.register(new InstanceId("living-abcdef"), "shop-2", HOUR);
        }
        // Both are of another type now, so that every script on them fails.
        link.call("DEL", store.keys().instanceMembers(new JobId("shop", "b")));
        link.call("SET", store.keys().instanceMembers(new JobId("shop", "b")), "damaged");
        link.call("SET", store.keys().leaseEnds("shop"), "damaged");

        assertThatThrownBy(this::reclaim).isInstanceOf(RuntimeException.class);

        assertThat(taken).extracting(one -> one.job().id().name()).containsExactlyInAnyOrder("a", "c");
    }
}
