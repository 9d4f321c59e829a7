package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** One singleton on one server, seen by an operator and by sidecars, with all fences that were ever given. */
final class FencedJob implements AutoCloseable {

    static final JobId ID = new JobId("shop", "nightly");
    static final Duration TTL = Duration.ofMinutes(5);

    /** A sidecar keeps the highest term it has heard of, as long as it lives. */
    static final class Sidecar {
        private final InstanceId instance = InstanceId.create("pod");
        private long term;
    }

    /** A run in progress. */
    record Run(Sidecar sidecar, Nonce nonce, Grant grant) {}

    final JobDefinition definition;
    final ClusterMemory cluster;
    private final RisingFences fences;
    private final RedisLink link;
    final Store store;
    private final JobSeeding seeding;

    /** @param fences shared by all servers that the job lives on, one after the other */
    FencedJob(RedisProcess server, ClusterMemory cluster, RisingFences fences) {
        this(ID, TTL, server.link(), cluster, fences);
    }

    FencedJob(JobId id, Duration ttl, RedisLink link, ClusterMemory cluster, RisingFences fences) {
        this.definition = definition(id, ttl);
        this.cluster = cluster;
        this.fences = fences;
        this.link = link;
        this.store = new Store(link, Install.MAIN);
        this.seeding = new JobSeeding(store);
    }

    private static JobDefinition definition(JobId id, Duration ttl) {
        return new JobDefinition(
                id,
                "uid-1",
                1,
                1,
                false,
                new Trigger(8080, "/nightly", Duration.ofMinutes(1)),
                new LeasePolicy(
                        ttl,
                        true,
                        ttl.dividedBy(3),
                        ReleasePolicy.ON_COMPLETION,
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        Duration.ofMillis(500),
                        Duration.ofMinutes(1)),
                new SingletonWork(
                        new Every(Duration.ofHours(1)),
                        new Retry(3, new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1)))));
    }

    /** One pass of an operator: looks, and keeps what it found. */
    Seeded pass() {
        return passWith(cluster.read());
    }

    /** A pass of an operator whose view may be old. */
    Seeded passWith(ClusterMemory.Version read) {
        var seeded =
                seeding.ensure(definition, read.memory(), () -> cluster.read().memory());
        switch (seeded) {
            case Seeded.InForce(var memory) -> cluster.write(read, memory);
            case Seeded.RaiseTerm(var memory, var _) -> cluster.write(read, memory);
            default -> {}
        }
        return seeded;
    }

    /** Passes until the job is in force and remembered. */
    FencedJob settle() {
        for (int i = 0; i < 10; i++) {
            if (pass() instanceof Seeded.InForce(var memory)
                    && cluster.read().memory().equals(memory)) {
                return this;
            }
        }
        throw new AssertionError("not in force after ten passes: " + cluster.read());
    }

    /** What a sidecar is told and then asks for, right now. */
    Claim claim(Sidecar sidecar) {
        return claim(sidecar, Nonce.create());
    }

    private Claim claim(Sidecar sidecar, Nonce nonce) {
        store.registrations()
                .assign(
                        definition.id().namespace(),
                        "pod",
                        new Assignment("pod", true, Set.of(definition.id().name())));
        for (var told :
                store.registrations().read(definition.id().namespace(), "pod").jobs()) {
            sidecar.term = Math.max(sidecar.term, told.term());
        }
        store.singletons().triggerNow(definition.id(), true);
        Claim claim;
        do {
            var request = new ClaimRequest(
                    sidecar.term,
                    sidecar.instance,
                    "pod",
                    nonce,
                    definition.policy().ttl(),
                    link.now().plusSeconds(60));
            claim = store.singletons().claim(definition.id(), request);
            if (claim instanceof Claim.StaleTerm(long current)) {
                sidecar.term = current;
            }
        } while (claim instanceof Claim.StaleTerm);
        if (claim instanceof Claim.Claimed(var grant)) {
            assertThat(grant.fence().term())
                    .as("a term is kept in the cluster before it is used")
                    .isLessThanOrEqualTo(cluster.term());
            fences.given(grant.fence());
        }
        return claim;
    }

    /** A run that goes on. */
    Run begin(Sidecar sidecar) {
        return tryToBegin(sidecar).orElseThrow(() -> new AssertionError("not granted"));
    }

    Optional<Run> tryToBegin(Sidecar sidecar) {
        var nonce = Nonce.create();
        return claim(sidecar, nonce) instanceof Claim.Claimed(var grant)
                ? Optional.of(new Run(sidecar, nonce, grant))
                : Optional.empty();
    }

    /** A whole run of a sidecar that has just started. */
    Fence run() {
        var run = begin(new Sidecar());
        end(run);
        return run.grant().fence();
    }

    Renewal renew(Run run) {
        return store.singletons()
                .renew(
                        definition.id(),
                        run.sidecar().instance,
                        run.nonce(),
                        definition.policy().ttl());
    }

    void end(Run run) {
        assertThat(tryToEnd(run)).isInstanceOf(Finishing.Finished.class);
    }

    Finishing tryToEnd(Run run) {
        var request = new FinishRequest(
                RunResult.SUCCEEDED,
                "",
                link.now().plusSeconds(3600),
                false,
                ReleasePolicy.ON_COMPLETION,
                Duration.ZERO);
        return store.singletons()
                .finish(
                        definition.id(),
                        run.sidecar().instance,
                        run.nonce(),
                        run.grant().fence(),
                        request);
    }

    @Override
    public void close() {
        link.close();
    }
}
