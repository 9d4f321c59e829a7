package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connections beside the shared one: when there are any, what they wait for, and what they never wait for. */
class ReplicatedLinkIT {

    private static final String SET = "redis.call('SET', KEYS[1], ARGV[1]) return {'OK'}";
    private static final Durability.Replicated ONE = new Durability.Replicated(1, Duration.ofMillis(300));

    private ReplicatedRedis redis;
    private RedisLink link;

    @BeforeEach
    void connect() {
        redis = new ReplicatedRedis();
        link = redis.primary.link();
    }

    @AfterEach
    void disconnect() {
        redis.replica.pause(false);
        link.close();
        redis.close();
    }

    private Acknowledged<@Nullable Object> set(RedisLink link, Durability.Replicated wanted) {
        return link.replicated()
                .eval("0".repeat(40), SET, wanted, _ -> true, List.of("k"), "v".getBytes(StandardCharsets.UTF_8));
    }

    private int connectionsSeenByTheServer() {
        var list = new String(
                        (byte[]) link.call("CLIENT", "LIST", "TYPE", "normal").getFirst(), StandardCharsets.UTF_8)
                + new String(
                        (byte[]) link.call("CLIENT", "LIST", "TYPE", "pubsub").getFirst(), StandardCharsets.UTF_8);
        return (int) list.lines().filter(line -> line.contains("name=test")).count();
    }

    @Test
    void thereIsNoSecondConnectionUntilSomebodyAsks() {
        assertThat(connectionsSeenByTheServer()).isEqualTo(1);

        set(link, ONE);
        set(link, ONE);

        assertThat(connectionsSeenByTheServer()).isEqualTo(2);
        assertThat(link.replicated().connections()).isEqualTo(1);
        link.replicated().close();
        await().until(() -> connectionsSeenByTheServer() == 1);
        assertThatThrownBy(() -> set(link, ONE)).isInstanceOf(RedisUnavailable.class);
    }

    @Test
    void nobodyElseWaitsForAReplica() throws InterruptedException {
        redis.replica.pause(true);
        var patient = new Durability.Replicated(1, Duration.ofSeconds(30));
        var waiting = Thread.ofVirtual().start(() -> set(link, patient));
        await().until(() -> blocked() == 1);

        link.call("GET", "k");
        assertThat(set(link, ONE).enough()).isFalse();

        assertThat(waiting.isAlive()).isTrue();
        redis.replica.pause(false);
        waiting.join();
    }

    private long blocked() {
        return link.info("clients")
                .lines()
                .filter(line -> line.startsWith("blocked_clients:"))
                .mapToLong(line -> Long.parseLong(line.substring("blocked_clients:".length())))
                .sum();
    }

    @Test
    void theWaitForReplicasMayBeLongerThanTheTimeoutOfACommand() {
        var hasty = redis.primary.settings().withCommandTimeout(Duration.ofMillis(200));
        redis.replica.pause(true);
        try (var quick = RedisProcess.connected(RedisLink.open(hasty))) {
            // A command that is not answered in time because the machine stood still is none that had to wait.
            await().ignoreExceptionsInstanceOf(RedisUnavailable.class)
                    .untilAsserted(() -> assertThat(set(quick, new Durability.Replicated(1, Duration.ofMillis(600)))
                                    .enough())
                            .isFalse());
        }
    }

    @Test
    void aPrimaryThatFallsSilentDuringTheWaitIsUnanswered() throws InterruptedException {
        var hasty = redis.primary.settings().withCommandTimeout(Duration.ofMillis(300));
        redis.replica.pause(true);
        try (var quick = RedisProcess.connected(RedisLink.open(hasty))) {
            var outcome = new AtomicReference<@Nullable RuntimeException>();
            var waiting = Thread.ofVirtual().start(() -> {
                try {
                    set(quick, new Durability.Replicated(1, Duration.ofSeconds(3)));
                } catch (RuntimeException unanswered) {
                    outcome.set(unanswered);
                }
            });
            await().pollInterval(Duration.ofMillis(5)).until(() -> blocked() == 1);
            redis.primary.pause(true);
            waiting.join();
            redis.primary.pause(false);

            assertThat(outcome.get())
                    .isInstanceOfSatisfying(
                            RedisUnavailable.class,
                            unanswered -> assertThat(unanswered.kind()).isEqualTo(RedisUnavailable.Kind.TIMEOUT));
        }
    }

    @Test
    void f02_aServerThatIsNoPrimaryAnyMoreAcknowledgesNothing() throws InterruptedException {
        set(link, ONE);
        redis.replica.pause(true);
        var outcome = new AtomicReference<@Nullable RuntimeException>();
        var waiting = Thread.ofVirtual().start(() -> {
            try {
                set(link, new Durability.Replicated(1, Duration.ofSeconds(5)));
            } catch (RuntimeException unanswered) {
                outcome.set(unanswered);
            }
        });
        await().until(() -> blocked() == 1);

        link.call("REPLICAOF", "127.0.0.1", String.valueOf(redis.replica.port()));
        waiting.join();

        assertThat(outcome.get()).isInstanceOf(RedisUnavailable.class);
        assertThatThrownBy(() -> set(link, ONE)).isInstanceOf(RedisUnavailable.class);
    }

    @Test
    void aUserThatMayNotWaitIsToldThatNobodyHasAcknowledged() {
        link.call("ACL", "SETUSER", "hasty", "on", "nopass", "~*", "&*", "+@all", "-wait");
        var settings = RedisSettings.of(redis.primary.address(), new Credentials("hasty", "any"), "test");
        try (var hasty = RedisProcess.connected(RedisLink.open(settings))) {
            assertThat(set(hasty, ONE).enough()).isFalse();
        } finally {
            link.call("ACL", "DELUSER", "hasty");
        }
    }

    @Test
    void aServerThatWantsReplicasAndHasNoneWritesNothing() {
        try (var replica = redis.replica.link()) {
            replica.call("REPLICAOF", "NO", "ONE");
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> link.info("replication").contains("connected_slaves:0"));
        link.call("CONFIG", "SET", "min-replicas-to-write", "1");

        assertThatThrownBy(() -> set(link, ONE))
                .isInstanceOfSatisfying(
                        RedisUnavailable.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED));
        link.call("CONFIG", "SET", "min-replicas-to-write", "0");
        long sent = System.nanoTime();
        assertThat(set(link, ONE).enough()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - sent))
                .isBetween(ONE.timeout().minusMillis(50), Duration.ofSeconds(60));
    }

    @Test
    void aScriptThatFailsHarmsNoOther() {
        assertThatThrownBy(() -> link.replicated()
                        .eval("1".repeat(40), "return redis.error_reply('WRONG k')", ONE, _ -> true, List.of("k")))
                .isInstanceOf(ScriptFailed.class);

        assertThat(set(link, ONE).enough()).isTrue();
        assertThat(link.replicated().connections()).isEqualTo(1);
    }

    @Test
    void afterARestartOfThePrimaryTheNextCallFindsIt() {
        set(link, ONE);
        redis.primary.kill();
        assertThatThrownBy(() -> set(link, ONE)).isInstanceOf(RedisUnavailable.class);

        redis.primary.start();

        await().atMost(Duration.ofSeconds(30)).until(() -> set(link, ONE).enough());
    }
}
