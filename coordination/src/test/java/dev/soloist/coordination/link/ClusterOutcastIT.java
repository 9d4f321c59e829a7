package dev.soloist.coordination.link;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that clients can reach, and that is no part of the Cluster any more without knowing it. */
@Timeout(240)
class ClusterOutcastIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(1);

    @Test
    void aPrimaryThatIsCutOffFromTheOthersIsNotBelievedWhenItsReplicaTookOver() {
        List<String> keys = IntStream.range(0, 30).mapToObj(i -> "key-" + i).toList();
        RedisProcess cutOff = firstToBeAsked();
        String id = cutOff.server().toString();
        RedisProcess heir = GROUP.replicaOf(cutOff);
        List<String> its =
                keys.stream().filter(key -> GROUP.ownerOf(key) == cutOff).toList();
        assertThat(its).as("keys of %s", id).isNotEmpty();
        try (RedisLink link = GROUP.link()) {
            keys.forEach(key -> link.call("SET", key, "before"));

            // It hears nobody any more: of nodes that it has forgotten it takes no word. All at once, for the nodes
            // that it still knows are told whom it forgot, and forget that one, too.
            String others = GROUP.nodes().stream()
                    .filter(node -> node != cutOff)
                    .map(node -> "redis.call('CLUSTER', 'FORGET', '" + text(GROUP.ask(node, "CLUSTER", "MYID")) + "')")
                    .collect(joining("\n"));
            GROUP.ask(cutOff, "EVAL", others, "0");
            GROUP.ask(heir, "CLUSTER", "FAILOVER", "TAKEOVER");

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                for (String key : keys) {
                    try {
                        assertThat(link.call("SET", key, "after")).hasSize(1);
                    } catch (RedisUnavailable e) {
                        throw new AssertionError(key, e);
                    }
                }
            });
            assertThat(link.info("server", its.getFirst())).contains("tcp_port:" + heir.port());
        }
    }

    /** Of the primaries the one whose word counted for ever, were it only for the order in which they are kept. */
    private static RedisProcess firstToBeAsked() {
        // One by one, as the link does: a map made of another has another order.
        var order = new ConcurrentHashMap<HostAndPort, RedisProcess>();
        GROUP.primaries().forEach(node -> order.put(node.server(), node));
        return order.values().iterator().next();
    }

    private static String text(List<Object> reply) {
        return String.valueOf(reply.getFirst());
    }
}
