package dev.soloist.coordination.capability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.capability.CapabilityProbe.Scope;
import dev.soloist.coordination.capability.OwnedStore.Owner;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OwnedStoreIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final Install INSTALL = Install.MAIN;
    private static final RedisKeys KEYS = new RedisKeys(INSTALL);
    private static final JobId JOB = new JobId("shop", "report");

    private RedisLink link;

    @BeforeEach
    void connect() {
        link = REDIS.link();
    }

    @AfterEach
    void disconnect() {
        link.close();
    }

    private static CoordinationStore store(RedisLink link, String cluster, String takeOverFrom, DataMode least) {
        var probe = new CapabilityProbe(link, KEYS::probe, Scope.ESSENTIALS);
        var judge = new ProbingJudge(probe, () -> ModeWish.atLeast(least));
        return new CoordinationStore(
                link, INSTALL, new OwnedStore(link, KEYS, judge, () -> new Owner(cluster, takeOverFrom)));
    }

    private CoordinationStore store(String cluster) {
        return store(link, cluster, "", DataMode.SCRIPTED);
    }

    private static RefusalReason refusal(CoordinationStore store) {
        return store.gate().mode() instanceof StoreMode.Refused(var reason, var _) ? reason : null;
    }

    private String record() {
        return new String((byte[]) link.call("GET", KEYS.meta()).getFirst(), StandardCharsets.UTF_8);
    }

    @Test
    void anEmptyStoreIsTakenIntoPossession() {
        assertThat(store("a").gate().mode()).isEqualTo(new StoreMode.Scripted());
        assertThat(record()).isEqualTo("{\"schema\":1,\"mode\":\"Scripted\",\"cluster\":\"a\"}");
        assertThat(store("a").gate().mode()).isEqualTo(new StoreMode.Scripted());
    }

    @Test
    void n02_anotherClusterUnderTheSameNameIsRefusedAndChangesNothing() {
        store("a");

        CoordinationStore other = store("b");

        assertThat(other.gate().mode()).isInstanceOfSatisfying(StoreMode.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(RefusalReason.OTHER_CLUSTER);
            assertThat(refused.sentence()).contains("SOLOIST_INSTALL", "SOLOIST_TAKE_OVER_FROM=a");
        });
        assertThatThrownBy(() -> other.singletons().raiseTerm(JOB, 7))
                .isInstanceOfSatisfying(
                        RedisUnavailable.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED));
        assertThatThrownBy(() -> other.queue(JOB).purge()).isInstanceOf(RedisUnavailable.class);
        assertThatThrownBy(() -> other.registrations().withdraw(JOB)).isInstanceOf(RedisUnavailable.class);
        assertThat(record()).contains("\"cluster\":\"a\"");
        assertThat(link.call("KEYS", "*")).hasSize(1);
    }

    @Test
    void n02_ofClustersThatComeAtOnceOneHasTheName() throws Exception {
        var links = new ArrayList<RedisLink>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tries = new ArrayList<Callable<CoordinationStore>>();
            for (int i = 0; i < 8; i++) {
                String cluster = "cluster-" + i;
                RedisLink own = REDIS.link();
                links.add(own);
                tries.add(() -> store(own, cluster, "", DataMode.SCRIPTED));
            }
            List<CoordinationStore> stores = new ArrayList<>();
            for (Future<CoordinationStore> made : threads.invokeAll(tries)) {
                stores.add(made.get());
            }

            assertThat(stores)
                    .filteredOn(store -> store.gate().mode().data().isPresent())
                    .hasSize(1);
            assertThat(stores)
                    .filteredOn(store -> refusal(store) == RefusalReason.OTHER_CLUSTER)
                    .hasSize(7);
        } finally {
            links.forEach(RedisLink::close);
        }
    }

    @Test
    void n02_whoNamesTheFormerClusterTakesItsDataOverAndTheFormerStops() {
        CoordinationStore former = store("a");

        CoordinationStore heir = store(link, "b", "a", DataMode.SCRIPTED);
        former.gate().look();

        assertThat(heir.gate().mode()).isEqualTo(new StoreMode.Scripted());
        assertThat(refusal(former)).isEqualTo(RefusalReason.OTHER_CLUSTER);
        assertThat(refusal(store(link, "c", "a", DataMode.SCRIPTED))).isEqualTo(RefusalReason.OTHER_CLUSTER);
    }

    @Test
    void dataOfScriptsAreNotTouchedByAServerWithoutThem() {
        store("a");
        try (RedisLink behind = PIKA.behind().link();
                RedisLink pika = PIKA.link()) {
            behind.call("SET", KEYS.meta(), record());

            CoordinationStore moved = store(pika, "a", "", DataMode.CAS);

            assertThat(refusal(moved)).isEqualTo(RefusalReason.MODE_CHANGED);
        }
    }

    @Test
    void dataOfModeCasAreNotTouchedByScripts() {
        link.call("SET", KEYS.meta(), new StoreRecord(1, DataMode.CAS, "a").json());

        assertThat(refusal(store("a"))).isEqualTo(RefusalReason.MODE_CHANGED);
    }

    @Test
    void aStoreOfANewerVersionIsRefusedWhateverElseItSays() {
        link.call("SET", KEYS.meta(), "{\"schema\":2,\"mode\":\"Better\",\"cluster\":\"a\",\"more\":[]}");

        assertThat(refusal(store("a"))).isEqualTo(RefusalReason.NEWER_SCHEMA);
    }

    @Test
    void aRecordThatCannotBeReadIsNotOverwritten() {
        for (String damaged : List.of("x", "{}", "{\"schema\":1,\"mode\":\"Scripted\"}", "")) {
            link.call("SET", KEYS.meta(), damaged);
            assertThat(refusal(store("a"))).as(damaged).isEqualTo(RefusalReason.RECORD_UNREADABLE);
        }
        link.call("DEL", KEYS.meta());
        link.call("RPUSH", KEYS.meta(), "x");
        assertThat(refusal(store("a"))).isEqualTo(RefusalReason.RECORD_UNREADABLE);
    }

    @Test
    void aStoreThatWasEmptiedIsTakenAgain() {
        CoordinationStore store = store("a");
        link.call("FLUSHALL");

        store.gate().look();

        assertThat(store.gate().mode()).isEqualTo(new StoreMode.Scripted());
        assertThat(record()).contains("\"cluster\":\"a\"");
    }
}
