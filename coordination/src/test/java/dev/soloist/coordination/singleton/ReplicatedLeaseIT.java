package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease that counts only when a replica has it, on a primary with one replica. */
class ReplicatedLeaseIT {

    private static final Durability.Replicated ONE = new Durability.Replicated(1, Duration.ofMillis(300));

    private static ReplicatedRedis redis;

    private FaultyLink network;
    private SingletonUnderTest job;

    @BeforeAll
    static void startServers() {
        redis = new ReplicatedRedis();
    }

    @AfterAll
    static void endServers() {
        redis.close();
    }

    @BeforeEach
    void connect() {
        network = new FaultyLink(redis.primary.port());
        job = new SingletonUnderTest(
                RedisProcess.connected(RedisLink.open(RedisSettings.of(network.address(), Credentials.NONE, "test"))));
        job.link.call("FLUSHALL");
    }

    @AfterEach
    void disconnect() {
        redis.replica.pause(false);
        job.close();
        network.close();
    }

    private Acknowledged<Claim> claim() {
        return job.store.claim(JOB, job.request(ALICE, nonceOf(ALICE), TTL), ONE);
    }

    private Acknowledged<Renewal> renew() {
        return job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL, ONE);
    }

    @Test
    void aLeaseThatTheReplicaHasIsAcknowledged() {
        job.due();

        var claim = claim();

        assertThat(claim.enough()).isTrue();
        assertThat(claim.answer()).isInstanceOf(Claim.Claimed.class);
        assertThat(renew().enough()).isTrue();
        try (var replica = redis.replica.link()) {
            assertThat(replica.call("EXISTS", job.lease())).containsExactly(1L);
        }
    }

    @Test
    void aLeaseThatTheReplicaLacksIsNotAcknowledgedAndSaysSoInTime() {
        job.due();
        redis.replica.pause(true);
        long sent = System.nanoTime();

        var claim = claim();

        assertThat(Duration.ofNanos(System.nanoTime() - sent))
                .isBetween(ONE.timeout().minusMillis(50), Duration.ofSeconds(60));
        assertThat(claim.answer()).isInstanceOf(Claim.Claimed.class);
        assertThat(claim.enough()).isFalse();
        assertThat(renew().enough()).isFalse();
        redis.replica.pause(false);
        assertThat(renew().enough()).isTrue();
    }

    @Test
    void oneReplicaIsNotTwo() {
        job.due();

        var claim = job.store.claim(
                JOB, job.request(ALICE, nonceOf(ALICE), TTL), new Durability.Replicated(2, Duration.ofMillis(100)));

        assertThat(claim.enough()).isFalse();
    }

    @Test
    void aRepeatedClaimWritesSoThatItIsNotFalselyAcknowledged() {
        job.due();
        var request = job.request(ALICE, nonceOf(ALICE), TTL);
        redis.replica.pause(true);
        network.cutBefore("\r\nWAIT\r\n");

        // The connection breaks between script and WAIT: nobody knows, so it counts as unanswered.
        assertThatThrownBy(() -> job.store.claim(JOB, request, ONE)).isInstanceOf(RedisUnavailable.class);
        assertThat(network.hasCut()).isTrue();
        var repeated = job.store.claim(JOB, request, ONE);

        assertThat(repeated.answer())
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claimed -> assertThat(claimed.grant().repeated()).isTrue());
        assertThat(repeated.enough()).isFalse();
    }

    @Test
    void aRenewalAfterABrokenConnectionIsNotFalselyAcknowledged() {
        job.due();
        claim();
        redis.replica.pause(true);
        network.cutBefore("\r\nWAIT\r\n");

        assertThatThrownBy(this::renew).isInstanceOf(RedisUnavailable.class);

        assertThat(renew().enough()).isFalse();
    }

    @Test
    void anAnswerThatWroteNothingNeedsNoReplica() {
        job.due();
        redis.replica.pause(true);
        job.store.claim(JOB, job.request(BOB, nonceOf(BOB), TTL));
        long waits = commands("wait");

        var refused = claim();
        var lost = renew();

        assertThat(refused.answer()).isInstanceOf(Claim.NotDue.class);
        assertThat(lost.answer()).isInstanceOf(Renewal.Lost.class);
        assertThat(commands("wait")).isEqualTo(waits);
    }

    @Test
    void aRenewalCostsOneCommandMoreThanBefore() {
        job.due();
        claim();
        renew();
        job.link.call("CONFIG", "RESETSTAT");

        for (int i = 0; i < 10; i++) {
            assertThat(renew().enough()).isTrue();
        }

        assertThat(commands("evalsha")).isEqualTo(10);
        assertThat(commands("wait")).isEqualTo(10);
        assertThat(commands("eval")).isZero();
        assertThat(commands("hello")).isZero();
        assertThat(commands("ping")).isZero();
    }

    @Test
    void scriptsThatTheServerHasForgottenAreSentAgainBeforeTheWait() {
        job.due();
        job.link.call("SCRIPT", "FLUSH");

        assertThat(claim().enough()).isTrue();
        job.link.call("SCRIPT", "FLUSH");
        assertThat(renew().enough()).isTrue();
    }

    @Test
    void aClaimGivenBackUnacknowledgedStandsInNoHistoryAndInTheRecordUntilARunEnds() {
        job.due();
        redis.replica.pause(true);
        claim();

        var before = job.now();
        job.store.releaseUnacknowledged(JOB, ALICE, nonceOf(ALICE));

        var given = job.store.snapshot(JOB, 20);
        assertThat(given.state()).isEqualTo(SingletonState.READY);
        assertThat(given.attempt()).isZero();
        assertThat(given.history()).isEmpty();
        assertThat(given.unacknowledged()).isBetween(before, job.now());

        var grant = job.claimed(BOB, nonceOf(BOB));
        assertThat(grant.attempt()).isEqualTo(1);
        job.finish(BOB, grant.fence(), job.success());
        assertThat(job.store.snapshot(JOB).unacknowledged()).isNull();
    }

    private long commands(String name) {
        return job.link
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
