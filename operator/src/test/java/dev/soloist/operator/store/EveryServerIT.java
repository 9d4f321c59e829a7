package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.DocumentedUser;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.operator.core.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Redis copies no users from server to server, so the operator makes them on all of them. */
class EveryServerIT {

    private static final Passwords PASSWORDS = new Passwords("secret", List.of());

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicLong longestGap = new AtomicLong();

    @Test
    void aPromotedReplicaKnowsTheUsersAlready() throws Exception {
        try (var group = new SentinelGroup(2).start();
                var operator = group.link()) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(RedisUnavailable.class)
                    .untilAsserted(() -> {
                        users(operator).set("shop", PASSWORDS);
                        assertThat(group.nodes()).allSatisfy(EveryServerIT::knowsTheUser);
                    });

            try (var sidecar = RedisProcess.connected(RedisLink.open(sidecar(group.settings())))) {
                var store = ofShop(sidecar);
                var worker = Thread.ofVirtual().start(() -> work(store));
                await().atMost(PATIENCE).until(() -> done.get() > 10);
                group.failover();
                int before = done.get();
                await().atMost(PATIENCE).until(() -> done.get() > before + 10);
                worker.interrupt();
                worker.join();
            }
            System.out.printf(
                    "failover: %d refusals, longest gap %d ms%n", refused.get(), longestGap.get() / 1_000_000);
            assertThat(refused).hasValue(0);
        }
    }

    @Test
    void everyServerOfAClusterKnowsTheUserAndRefusesItNothing() {
        try (var group = new ClusterGroup(1).start();
                var operator = group.link()) {
            // As the operator does every minute: a link hears of a young Cluster's replicas a little later.
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        users(operator).set("shop", PASSWORDS);
                        assertThat(group.nodes()).allSatisfy(EveryServerIT::knowsTheUser);
                    });
            group.nodes().forEach(node -> group.ask(node, "ACL", "LOG", "RESET"));

            try (var sidecar = RedisProcess.connected(RedisLink.open(sidecar(group.settings())))) {
                var store = ofShop(sidecar);
                for (int i = 0; i < 20; i++) {
                    var job = new JobId("shop", "job-" + i);
                    await().atMost(PATIENCE)
                            .ignoreExceptionsInstanceOf(RedisUnavailable.class)
                            .until(() -> {
                                store.instances(job)
                                        .register(InstanceId.create("pod"), "pod-1", Duration.ofSeconds(30));
                                store.queue(job).purge();
                                store.singletons().snapshot(job);
                                return true;
                            });
                }
            }
            for (var node : group.nodes()) {
                try (var link = node.link()) {
                    assertThat(DocumentedUser.refusals(link)).isEmpty();
                }
            }
            users(operator).remove("shop");
            assertThat(users(operator).namespaces()).isEmpty();
        }
    }

    private void work(Store store) {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                store.singletons().snapshot(new JobId("shop", "job"));
                long now = System.nanoTime();
                done.incrementAndGet();
                longestGap.accumulateAndGet(now - last, Math::max);
                last = now;
            } catch (RedisUnavailable away) {
                if (away.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                    refused.incrementAndGet();
                }
            }
        }
    }

    private static Store ofShop(RedisLink link) {
        return new Store(CoordinationStore.ofNamespace(link, Install.MAIN, "shop", () -> ModeWish.SCRIPTED));
    }

    private static StoreUsers users(RedisLink link) {
        return new StoreUsers(new Store(link, Install.MAIN), Install.MAIN);
    }

    private static RedisSettings sidecar(RedisSettings settings) {
        return new RedisSettings(
                settings.topology(),
                new Credentials("soloist:main:shop", "secret"),
                settings.tls(),
                "sidecar",
                settings.commandTimeout());
    }

    private static void knowsTheUser(RedisProcess node) {
        try (var link = node.link()) {
            assertThat(link.call("ACL", "GETUSER", "soloist:main:shop")).hasSizeGreaterThan(1);
        }
    }
}
