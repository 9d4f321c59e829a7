package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.coordination.testkit.SentinelProcess;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(240)
class SentinelLinkIT {

    @RegisterExtension
    static final SentinelGroup GROUP = new SentinelGroup(2);

    private RedisLink link;

    @BeforeEach
    void open() {
        GROUP.restore();
        link = GROUP.link();
    }

    @AfterEach
    void close() {
        if (link != null) {
            link.close();
        }
    }

    @Test
    void theLinkLeadsToThePrimary() {
        assertThat(Replies.text(link.call("ROLE").getFirst())).isEqualTo("master");
        assertThat(link.info("server")).contains("tcp_port:" + GROUP.primary().port());
    }

    @Test
    void aSilentReplicaDoesNotKeepACommandForEveryServerFromTheOther() throws Exception {
        try (var patient =
                RedisProcess.connected(RedisLink.open(GROUP.settings().withCommandTimeout(Duration.ofSeconds(40))))) {
            var replicas = GROUP.replicas();
            for (var answering : replicas) {
                var user = "everywhere-" + answering.port();
                replicas.forEach(replica -> replica.pause(true));
                try {
                    var call = Thread.ofVirtual()
                            .start(() -> patient.callEverywhere("ACL", "SETUSER", user, "on", ">x")
                                    .orThrow());
                    answering.pause(false);
                    // Whichever is asked first: in one of the two rounds it is the one that stays silent.
                    await().atMost(Duration.ofSeconds(60)).until(() -> knows(answering, user));
                    replicas.forEach(replica -> replica.pause(false));
                    call.join();
                } finally {
                    replicas.forEach(replica -> replica.pause(false));
                }
                assertThat(GROUP.nodes()).allMatch(node -> knows(node, user));
            }
        }
    }

    private static boolean knows(RedisProcess node, String user) {
        try (var direct = node.link()) {
            return direct.call("ACL", "USERS").stream()
                    .anyMatch(name -> Replies.text(name).equals(user));
        }
    }

    @Test
    void f02_aPrimaryDemotedByHandIsLeftWithinTwoSecondsThoughItsConnectionStaysOpen() {
        // A machine that stands still for a moment is not the link's fault: one of a few swaps has to be followed in
        // time.
        var took = Duration.ofDays(1);
        for (int swap = 0; swap < 5 && took.compareTo(Duration.ofSeconds(2)) >= 0; swap++) {
            var after = GROUP.swapByHand();

            // Nothing is told to the link: the first refusal has to be enough.
            long begun = System.nanoTime();
            await().pollInterval(Duration.ofMillis(10)).ignoreExceptions().until(() -> {
                link.call("SET", "f02", "x");
                return true;
            });

            took = Duration.ofNanos(System.nanoTime() - begun);
            assertThat(link.info("server")).contains("tcp_port:" + after.port());
        }
        assertThat(took).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void aReplicaIsNeverTakenForThePrimary() {
        var replica = GROUP.replicas().getFirst();
        var aim = new SentinelAim(new Topology.Sentinel(List.of(replica.server()), "x", Credentials.NONE), null);
        try (var direct = replica.link()) {
            assertThat(direct.isConnected()).isTrue();
        }

        try (var dialer = new Dialer(GROUP.settings(), io.lettuce.core.resource.ClientResources.create())) {
            assertThatThrownBy(() ->
                            Briefly.with(dialer, replica.server(), Credentials.NONE, Duration.ofSeconds(2), courier -> {
                                aim.verify(courier);
                                return "";
                            }))
                    .isInstanceOf(WrongServer.class)
                    .hasMessageContaining("no primary");
        }
    }

    @Test
    void aFailoverIsFollowedAndEveryCommandFailsOrIsDoneOnce() {
        var before = GROUP.primary();

        var after = GROUP.failover();

        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> link.info("server").contains("tcp_port:" + after.port()));
        assertThat(after).isNotEqualTo(before);
        assertThat(link.call("SET", "after", "failover")).hasSize(1);
    }

    @Test
    void aKilledPrimaryIsReplacedAndSubscriptionsSurvive() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (AutoCloseable subscription = link.subscribe("news", heard::add)) {
            await().untilAsserted(() -> {
                link.call("PUBLISH", "news", "one");
                assertThat(heard).contains("one");
            });

            GROUP.killPrimary();

            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
                link.call("PUBLISH", "news", "two");
                assertThat(heard).contains("", "two");
            });
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void oneSentinelIsEnoughToFindThePrimary() {
        GROUP.sentinels().get(0).kill();
        GROUP.sentinels().get(2).kill();

        try (RedisLink other = GROUP.link()) {
            assertThat(other.now()).isNotNull();
        }
    }

    @Test
    void withoutAnySentinelTheTroubleSaysSo() {
        var nobody = List.of(new HostAndPort("127.0.0.1", RedisProcess.freePort()));
        var settings = RedisSettings.of(
                new Topology.Sentinel(nobody, SentinelGroup.NAME, Credentials.NONE), Credentials.NONE, "t");
        try (RedisLink lost = RedisLink.open(settings)) {
            await().untilAsserted(() -> assertThat(lost.trouble()).contains("Connection refused"));
        }
    }

    @Test
    void aNameThatNoSentinelKnowsIsTold() {
        var sentinels = GROUP.sentinels().stream().map(SentinelProcess::server).toList();
        var settings =
                RedisSettings.of(new Topology.Sentinel(sentinels, "other", Credentials.NONE), Credentials.NONE, "t");
        try (RedisLink lost = RedisLink.open(settings)) {
            await().untilAsserted(() -> assertThat(lost.trouble()).contains("watches no primary of the name other"));
        }
    }
}
