package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(240)
class ClusterLinkIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(1);

    /** Runs once and tells how often it ran before. */
    private static final String COUNT = "return {redis.call('INCR', KEYS[1])}";

    private RedisLink link;

    @BeforeEach
    void open() {
        GROUP.restore();
        link = GROUP.link();
    }

    @AfterEach
    void close() {
        if (link == null) {
            return;
        }
        link.close();
    }

    @Test
    void commandsFindTheNodeOfTheirKey() {
        for (int i = 0; i < 100; i++) {
            assertThat(link.call("SET", "key-" + i, String.valueOf(i))).hasSize(1);
            assertThat(link.call("GET", "key-" + i)).containsExactly(bytes(String.valueOf(i)));
        }
        for (String key : List.of("a", "b", "c", "d")) {
            assertThat(link.info("server", key))
                    .contains("tcp_port:" + GROUP.ownerOf(key).port());
        }
    }

    @Test
    void aCommandForEveryServerReachesPrimariesAndReplicas() {
        // What a link knows of the Cluster may be a moment old.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> link.callEverywhere("PING").replies().size() == 6);

        var answers =
                link.callEverywhere("ACL", "SETUSER", "everywhere", "on", ">x").orThrow();

        assertThat(answers).hasSize(6);
        for (RedisProcess node : GROUP.nodes()) {
            assertThat(GROUP.ask(node, "ACL", "USERS")).contains("everywhere");
            GROUP.ask(node, "ACL", "DELUSER", "everywhere");
        }
    }

    @Test
    void serversThatDoNotAnswerAreToldFromThoseThatDid() {
        var silent = GROUP.nodes().stream()
                .filter(node -> !GROUP.primaries().contains(node))
                .limit(2)
                .toList();
        try (var patient =
                RedisProcess.connected(RedisLink.open(GROUP.settings().withCommandTimeout(Duration.ofSeconds(5))))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> patient.callEverywhere("PING").replies().size() == 6);

            silent.forEach(node -> node.pause(true));
            try {
                var answers = patient.callEverywhere("PING");
                assertThat(answers.failures())
                        .containsOnlyKeys(
                                silent.stream().map(RedisProcess::server).toList());
                assertThat(answers.replies()).hasSize(4);
            } finally {
                silent.forEach(node -> node.pause(false));
            }
        }
    }

    @Test
    void theClockOfEachNodeIsItsOwn() {
        for (String key : List.of("a", "b", "c", "d")) {
            // A reading is as good as the way to it and back was short: that is left to chance.
            await().untilAsserted(() -> {
                var before = link.now(key);
                var estimate = link.clock(key).now();
                var after = link.now(key);
                assertThat(estimate).isBetween(before.minusSeconds(1), after.plusSeconds(1));
            });
        }
        assertThat(link.clock().isSet()).isTrue();
    }

    @Test
    void messagesReachEverySubscriberWhereverTheyWereSent() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (AutoCloseable subscription = link.subscribe("{x}:wake", heard::add)) {
            for (RedisProcess node : GROUP.nodes()) {
                String text = "from " + node.port();
                await().untilAsserted(() -> {
                    GROUP.ask(node, "PUBLISH", "{x}:wake", text);
                    assertThat(heard).contains(text);
                });
            }
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void aSlotThatMovesUnderLoadLosesAndDoublesNothing() throws Exception {
        String key = "{moving}:counter";
        int slot = Slots.slot(key);
        RedisProcess from = GROUP.ownerOf(slot);
        RedisProcess to = otherPrimary(from);
        var done = new AtomicInteger();
        var unsure = new AtomicInteger();
        var over = new AtomicBoolean();
        var unexpected = new AtomicReference<Throwable>();
        Thread load = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                try {
                    link.eval("0".repeat(40), COUNT, List.of(key));
                    done.incrementAndGet();
                } catch (RedisUnavailable e) {
                    // A refusal was not done; anything else may have been.
                    if (e.kind() != RedisUnavailable.Kind.REFUSED) {
                        unsure.incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    unexpected.set(e);
                }
            }
        });
        await().until(() -> done.get() > 100);

        GROUP.beginMigration(slot, to);
        int during = done.get();
        await().until(() -> done.get() > during + 100);
        GROUP.moveKey(key, to);
        int moved = done.get();
        await().until(() -> done.get() > moved + 100);
        GROUP.endMigration(slot, to);
        int after = done.get();
        await().until(() -> done.get() > after + 100);
        over.set(true);
        load.join();

        assertThat(unexpected.get()).isNull();
        assertThat(unsure.get()).isZero();
        assertThat(Long.parseLong(new String((byte[]) link.call("GET", key).getFirst(), StandardCharsets.UTF_8)))
                .isEqualTo(done.get());
        assertThat(link.info("server", key)).contains("tcp_port:" + to.port());
        GROUP.beginMigration(slot, from);
        GROUP.endMigration(slot, from);
    }

    @Test
    void aScriptWhoseKeysAreHalfMovedIsRefusedForNow() {
        String here = "{half}:1";
        int slot = Slots.slot(here);
        RedisProcess from = GROUP.ownerOf(slot);
        RedisProcess to = otherPrimary(from);
        link.call("SET", here, "1");
        GROUP.beginMigration(slot, to);
        try {
            assertThatThrownBy(() -> link.eval("0".repeat(40), "return {1}", List.of(here, "{half}:2")))
                    .isInstanceOfSatisfying(RedisUnavailable.class, e -> {
                        assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED);
                        assertThat(e).hasMessageContaining("TRYAGAIN");
                    });
        } finally {
            GROUP.endMigration(slot, to);
        }
        assertThat((List<?>) link.eval("0".repeat(40), "return {1}", List.of(here, "{half}:2")))
                .hasSize(1);
    }

    @Test
    void aNodeThatDiesStopsOnlyItsOwnSlotsUntilItsReplicaTakesOver() {
        String here = "a";
        RedisProcess dying = GROUP.ownerOf(here);
        String elsewhere = keyOwnedBy(otherPrimary(dying));
        Map<String, Integer> failed = new ConcurrentHashMap<>();
        long begun = System.nanoTime();

        dying.kill();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    attempt(elsewhere, failed);
                    return attempt(here, failed);
                });

        System.out.printf(
                "slots of a killed primary were served again after %d ms%n", (System.nanoTime() - begun) / 1_000_000);
        assertThat(failed.getOrDefault(here, 0)).isPositive();
        // Without a majority's word the others refuse for a moment, too, so what is counted is not zero.
        assertThat(link.isConnected()).isTrue();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> attempt(elsewhere, failed));
    }

    @Test
    void aFailoverByConsentIsFollowed() {
        String key = "b";
        RedisProcess before = GROUP.ownerOf(key);

        RedisProcess after = GROUP.failover(before);

        await().atMost(Duration.ofSeconds(60)).until(() -> attempt(key, new ConcurrentHashMap<>()));
        assertThat(link.call("SET", key, "x")).hasSize(1);
        await().untilAsserted(() -> assertThat(link.info("server", key)).contains("tcp_port:" + after.port()));
    }

    @Test
    void aSubscriptionSurvivesTheDeathOfTheNodeThatCarriesIt() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (AutoCloseable subscription = link.subscribe("news", heard::add)) {
            RedisProcess carrier = GROUP.nodes().stream()
                    .filter(node -> GROUP.ask(node, "PUBSUB", "NUMSUB", "news").contains(1L))
                    .findFirst()
                    .orElseThrow();
            RedisProcess other = otherPrimary(carrier);
            heard.clear();

            carrier.kill();

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                GROUP.ask(other, "PUBLISH", "news", "two");
                assertThat(heard).contains("", "two");
            });
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void oneLivingSeedIsEnough() {
        List<HostAndPort> seeds = new ArrayList<>();
        seeds.add(new HostAndPort("127.0.0.1", RedisProcess.freePort()));
        seeds.add(GROUP.nodes().getLast().server());

        try (RedisLink other = RedisProcess.connected(
                RedisLink.open(RedisSettings.of(new Topology.Cluster(seeds), Credentials.NONE, "t")))) {
            assertThat(attempt(other, "a")).isTrue();
            assertThat(attempt(other, "b")).isTrue();
            assertThat(attempt(other, "c")).isTrue();
        }
    }

    @Test
    void aNodeTakenForAStandaloneServerIsToldApart() {
        var single = GROUP.ownerOf("a").server();
        try (RedisLink wrong =
                RedisProcess.connected(RedisLink.open(RedisSettings.of(single.toString(), Credentials.NONE, "t")))) {
            assertThatThrownBy(() -> wrong.call("GET", keyOwnedBy(otherPrimary(GROUP.ownerOf("a")))))
                    .isInstanceOf(RedisUnavailable.class)
                    .hasMessageContaining("not said to be Cluster");
        }
    }

    @Test
    void aServerTakenForAClusterIsToldApart() {
        try (var single = new RedisProcess().start();
                RedisLink wrong = RedisLink.open(
                        RedisSettings.of(new Topology.Cluster(List.of(single.server())), Credentials.NONE, "t"))) {
            await().untilAsserted(() -> assertThat(wrong.trouble()).contains("cluster support disabled"));
        }
    }

    private boolean attempt(String key, Map<String, Integer> failed) {
        try {
            link.call("SET", key, "x");
            return true;
        } catch (RedisUnavailable e) {
            failed.merge(key, 1, Integer::sum);
            return false;
        }
    }

    private static boolean attempt(RedisLink other, String key) {
        return other.call("SET", key, "x").size() == 1;
    }

    private static RedisProcess otherPrimary(RedisProcess not) {
        return GROUP.primaries().stream()
                .filter(node -> node != not)
                .findFirst()
                .orElseThrow();
    }

    private static String keyOwnedBy(RedisProcess node) {
        for (int i = 0; ; i++) {
            if (GROUP.ownerOf("key-" + i) == node) {
                return "key-" + i;
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
