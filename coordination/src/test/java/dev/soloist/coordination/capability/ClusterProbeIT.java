package dev.soloist.coordination.capability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Of a Cluster every primary is asked, and the weakest counts. */
class ClusterProbeIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(0);

    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    private RedisLink link;

    @BeforeEach
    void open() {
        GROUP.restore();
        link = GROUP.link();
    }

    @AfterEach
    void close() {
        GROUP.primaries().forEach(node -> {
            GROUP.ask(node, "CONFIG", "SET", "maxmemory-policy", "noeviction");
            GROUP.ask(node, "ACL", "SETUSER", "default", "+eval", "+evalsha");
        });
        link.close();
    }

    @Test
    void theProbeLeadsToEveryPrimaryAndANamespacesToItsOwn() {
        assertThat(new Routes(link).by(KEYS::probe).stream().map(key -> GROUP.ownerOf(SlotHash.getSlot(key))))
                .hasSameElementsAs(GROUP.primaries());
        assertThat(new Routes(link).by(random -> KEYS.probe("shop", random))).hasSize(1);
    }

    @Test
    void aClusterIsUsedByScripts() {
        var store = new CoordinationStore(link, Install.MAIN);

        assertThat(store.gate().mode()).isEqualTo(new StoreMode.Scripted());
        assertThat(store.gate().danger()).isEmpty();
    }

    @Test
    void f06_onePrimaryThatMayEvictEndangersAllAndAlsoANamespaceSeesIt() {
        for (var node : GROUP.primaries()) {
            GROUP.ask(node, "CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            var whole = new CoordinationStore(link, Install.MAIN);
            var shop = CoordinationStore.ofNamespace(link, Install.MAIN, "shop", () -> ModeWish.SCRIPTED);

            assertThat(whole.gate().danger())
                    .hasValueSatisfying(danger -> assertThat(danger.kind()).isEqualTo(Danger.Kind.EVICTION));
            assertThat(shop.gate().danger()).isPresent();
            GROUP.ask(node, "CONFIG", "SET", "maxmemory-policy", "noeviction");
            whole.gate().look();
            assertThat(whole.gate().danger()).isEmpty();
        }
    }

    @Test
    void f10_onePrimaryWithoutScriptsMakesAllRefused() {
        for (var node : GROUP.primaries()) {
            GROUP.ask(node, "ACL", "SETUSER", "default", "-eval", "-evalsha");

            assertThat(new CoordinationStore(link, Install.MAIN).gate().mode())
                    .isInstanceOfSatisfying(
                            StoreMode.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.SCRIPTS_FORBIDDEN));
            GROUP.ask(node, "ACL", "SETUSER", "default", "+eval", "+evalsha");
        }
    }

    @Test
    void aPrimaryThatIsAwayShutsNobodyOutAndIsLookedAtWhenItIsBack() {
        GROUP.primaries().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "no"));
        RedisProcess dead = GROUP.ownerOf("a");
        dead.kill();
        try (var fresh = RedisProcess.connected(RedisLink.open(GROUP.settings()))) {
            var store = new CoordinationStore(fresh, Install.MAIN);

            await().until(() -> {
                store.gate().turn();
                return store.gate().mode().equals(new StoreMode.Scripted());
            });
            store.gate().look();
            assertThat(store.gate().mode()).isEqualTo(new StoreMode.Scripted());

            dead.start();
            GROUP.ask(dead, "CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            GROUP.ask(dead, "ACL", "SETUSER", "default", "-eval", "-evalsha");
            await().until(() -> {
                store.gate().turn();
                return store.gate().mode() instanceof StoreMode.Refused;
            });
            assertThat(store.gate().danger()).isPresent();
        } finally {
            GROUP.restore();
            GROUP.primaries().forEach(node -> GROUP.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "yes"));
        }
    }
}
