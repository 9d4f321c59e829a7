package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.core.FencedJob.Sidecar;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Redis loses what it knew, in every way there is; the next fence is above all before it, for the term rises in the cluster
 * first. Each claim of {@link FencedJob} checks both.
 */
class FencesIT {

    private final RedisProcess redis = new RedisProcess();
    private final ClusterMemory cluster = new ClusterMemory();
    private final RisingFences fences = new RisingFences();
    private FencedJob job;

    @BeforeEach
    void seed() {
        redis.start();
        job = on(redis).settle();
        job.run();
    }

    @AfterEach
    void stop() {
        job.close();
        redis.close();
    }

    private FencedJob on(RedisProcess server) {
        return new FencedJob(server, cluster, fences);
    }

    /** The same server after a restart: with a connection of its own. */
    private void reconnect(RedisProcess server) {
        job.close();
        job = on(server);
    }

    /** Until the operator has noticed, nobody can claim; then the term is a higher one. */
    private void nobodyClaimsBeforeTheTermRises() {
        var before = cluster.term();
        assertThat(job.claim(new Sidecar())).isNotInstanceOf(Claim.Claimed.class);
        assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
        assertThat(cluster.term()).isGreaterThan(before);
        assertThat(job.claim(new Sidecar())).isNotInstanceOf(Claim.Claimed.class);
        assertThat(job.settle().run().term()).isGreaterThan(before);
    }

    @Test
    void afterAFlush() {
        job.store.link().call("FLUSHALL");
        nobodyClaimsBeforeTheTermRises();
    }

    @Test
    void afterAnEmptyRestart() {
        redis.kill();
        redis.start();
        reconnect(redis);
        nobodyClaimsBeforeTheTermRises();
    }

    @Test
    void afterTheRecordWasDeleted() {
        job.store.link().call("DEL", job.store.keys().record(FencedJob.ID));
        nobodyClaimsBeforeTheTermRises();
    }

    @Test
    void afterRecordAndMarkWereDeleted() {
        var keys = job.store.keys();
        job.store.link().call("DEL", keys.record(FencedJob.ID), keys.mark(FencedJob.ID));
        nobodyClaimsBeforeTheTermRises();
    }

    @Test
    void afterTheMarkWasDeleted() {
        var before = cluster.term();
        job.store.link().call("DEL", job.store.keys().mark(FencedJob.ID));
        assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
        assertThat(job.settle().run().term()).isGreaterThan(before);
    }

    @Test
    void afterARestartFromAnOlderFile() {
        job.store.link().call("SAVE");
        // Forgotten by the file: a raise, and runs under it.
        job.store.link().call("DEL", job.store.keys().mark(FencedJob.ID));
        job.settle();
        var sidecar = new Sidecar();
        job.end(job.begin(sidecar));
        var before = cluster.term();

        redis.kill();
        redis.start();
        reconnect(redis);

        assertThat(job.claim(sidecar)).isInstanceOf(Claim.TermBehind.class);
        assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
        assertThat(cluster.term()).isGreaterThan(before);
        assertThat(job.settle().run().term()).isGreaterThan(before);
        job.end(job.begin(sidecar));
    }

    @Test
    void afterAPromotionOfAReplicaThatLacksTheNewestWrites() {
        try (var replica = new RedisProcess("--replicaof", "127.0.0.1 " + redis.port()).start()) {
            try (var link = replica.link()) {
                await().atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() -> link.call("EXISTS", job.store.keys().record(FencedJob.ID))
                                .contains(1L));
                link.call("REPLICAOF", "NO", "ONE");
            }
            var behind = on(replica);
            var before = job.run();
            var sidecar = new Sidecar();
            job.end(job.begin(sidecar));

            job.close();
            job = behind;
            job.end(job.begin(sidecar));
            assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
            assertThat(job.settle().run().term()).isGreaterThan(before.term());
            job.close();
        }
    }

    @Test
    void afterAPrimaryWasMadeAReplicaAndAPrimaryAgainWithoutLosingItsConnections() {
        var before = cluster.term();
        try (var other = new RedisProcess().start()) {
            job.store.link().call("REPLICAOF", "127.0.0.1", String.valueOf(other.port()));
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> job.store.link().info("replication").contains("master_link_status:up"));
            job.store.link().call("REPLICAOF", "NO", "ONE");
            assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
            assertThat(job.settle().run().term()).isGreaterThan(before);
        }
    }

    @Test
    void afterTheStoreMovedAndMovedBack() {
        try (var other = new RedisProcess().start();
                var there = on(other)) {
            var sidecar = new Sidecar();
            job.end(job.begin(sidecar));
            var before = cluster.term();

            assertThat(there.pass()).isInstanceOf(Seeded.RaiseTerm.class);
            there.settle();
            assertThat(there.run().term()).isGreaterThan(before);
            there.end(there.begin(sidecar));

            // Here the old term is still in force; a sidecar that was there does not go back under it.
            assertThat(job.claim(sidecar)).isInstanceOf(Claim.TermBehind.class);
            assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
            job.settle();
            assertThat(job.run().term()).isGreaterThan(before + 1);
        }
    }

    @Test
    void aRunInProgressIsNotTouchedByARaise() {
        List<Consumer<FencedJob>> raises = List.of(
                here -> here.store.link().call("DEL", here.store.keys().mark(FencedJob.ID)),
                here -> here.store.singletons().raiseTerm(FencedJob.ID, here.cluster.term()),
                here -> here.store.link().call("SET", here.store.keys().mark(FencedJob.ID), "another"));
        for (var raise : raises) {
            var run = job.begin(new Sidecar());
            raise.accept(job);
            job.settle();
            assertThat(job.renew(run)).isInstanceOf(Renewal.Renewed.class);
            job.end(run);
            job.run();
        }
    }

    @Test
    void aRunThatOutlivesARestartIsNotTouchedByTheRaise() {
        try (var lasting = new RedisProcess("--appendonly", "yes", "--appendfsync", "always").start()) {
            reconnect(lasting);
            job.settle();
            var before = cluster.term();
            var run = job.begin(new Sidecar());
            lasting.kill();
            lasting.start();
            reconnect(lasting);

            assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
            job.settle();
            assertThat(cluster.term()).isGreaterThan(before);
            assertThat(job.renew(run)).isInstanceOf(Renewal.Renewed.class);
            job.end(run);
            assertThat(job.run().term()).isEqualTo(cluster.term());
        }
    }

    @Test
    void anOperatorThatDiesBetweenTermAndSeedIsFollowedByOneThatSeedsUnderTheHigherTerm() {
        job.store.link().call("FLUSHALL");
        assertThat(job.pass()).isInstanceOf(Seeded.RaiseTerm.class);
        var raised = cluster.term();

        try (var next = on(redis)) {
            assertThat(next.pass()).isInstanceOf(Seeded.InForce.class);
            assertThat(next.run().term()).isEqualTo(raised);
        }
    }

    @Test
    void aClusterThatRemembersLessThanTheRecordTakesTheTermOver() {
        job.store.link().call("DEL", job.store.keys().mark(FencedJob.ID));
        job.settle();
        job.run();
        var before = cluster.term();
        assertThat(cluster.write(cluster.read(), Memory.NONE)).isTrue();

        job.settle();
        assertThat(cluster.term()).isEqualTo(before);
        job.store.link().call("FLUSHALL");
        nobodyClaimsBeforeTheTermRises();
    }
}
