package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.capability.Danger;
import dev.soloist.coordination.capability.RefusalReason;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.Reasons;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the operator makes of a store that is not to be used, or not without a warning; and of a lock that fits no run. */
@Tag("api")
class StoreSafetyIT {

    private static final RedisProcess REDIS = new RedisProcess();
    private static RunningOperator operator;
    private String namespace = "";

    @BeforeAll
    static void start() {
        REDIS.start();
        operator = RunningOperator.start(REDIS);
    }

    @AfterAll
    static void stop() {
        operator.close();
        REDIS.close();
    }

    @BeforeEach
    void open() {
        namespace = ApiServer.newNamespace();
    }

    @AfterEach
    void theStoreIsSafeAndOursAgain() {
        call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        call("ACL", "SETUSER", "default", "+@all");
        call("DEL", operator.store().keys().meta());
        eventually(() -> assertThat(operator.metrics())
                .contains("soloist_operator_store_mode{mode=\"Scripted\"} 1.0")
                .contains("soloist_operator_store_capability{name=\"evictsNothing\"} 1.0"));
    }

    private static List<Object> call(String command, String... arguments) {
        return operator.store().link().call(command, arguments);
    }

    private JobId job(String name) {
        return new JobId(namespace, name);
    }

    private static SingletonState state(JobId job) {
        return operator.store().singletons().snapshot(job).state();
    }

    private static void eventually(Runnable assertions) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(assertions::run);
    }

    @Test
    void f06_strictSingletonsWaitOnAStoreThatMayEvictLenientOnesAreWarnedAndBothGoOnAfterwards() {
        Jobs.apply("""
            apiVersion: soloist.dev/v1alpha1
            kind: LockPolicy
            metadata: {name: careless, namespace: %s}
            spec: {safety: Lenient}
            """.formatted(namespace));
        Pods.ready(namespace, "strict", "strict-1");
        Pods.ready(namespace, "lenient", "lenient-1");
        call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
        eventually(() -> assertThat(operator.metrics())
                .contains("soloist_operator_store_capability{name=\"evictsNothing\"} 0.0"));
        Jobs.apply(Jobs.singleton(namespace, "strict", "{every: 1h}"));
        Jobs.apply(Jobs.yaml(namespace, "lenient", "lockPolicy: careless\n  singleton: {schedule: {every: 1h}}"));

        eventually(() -> {
            assertThat(Jobs.condition(job("strict"), "Ready").getReason()).isEqualTo("EvictionPolicyUnsafe");
            assertThat(Jobs.condition(job("strict"), "StoreReady").getReason()).isEqualTo("EvictionPolicyUnsafe");
            assertThat(Jobs.condition(job("lenient"), "StoreReady").getReason()).isEqualTo("EvictionPolicyUnsafe");
            assertThat(Jobs.condition(job("lenient"), "Ready").getStatus()).isEqualTo("True");
        });
        assertThat(state(job("strict"))).isEqualTo(SingletonState.ABSENT);
        assertThat(state(job("lenient"))).isNotEqualTo(SingletonState.ABSENT);
        assertThat(Jobs.status(job("strict")).getStore().evictionPolicy()).isEqualTo("volatile-lru");

        call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        eventually(() -> {
            assertThat(Jobs.condition(job("strict"), "Ready").getStatus()).isEqualTo("True");
            assertThat(Jobs.condition(job("lenient"), "StoreReady").getStatus()).isEqualTo("True");
        });
        assertThat(state(job("strict"))).isNotEqualTo(SingletonState.ABSENT);
        assertThat(Jobs.status(job("strict")).getStore().mode()).isEqualTo("Scripted");
        assertThat(operator.metrics()).contains("soloist_operator_store_mode{mode=\"Scripted\"} 1.0");
    }

    @Test
    void w03_aLockThatFitsNoRunIsToldAndGoesByForceUnlockOnly() {
        var id = job("locked");
        Pods.ready(namespace, "locked", "locked-1");
        Jobs.apply(Jobs.singleton(namespace, "locked", "{every: 1h}"));
        eventually(() -> assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));
        var lock = operator.store().keys().lock(id);
        long term = Jobs.status(id).getTerm();

        call("SET", lock, "somebody");
        eventually(() -> assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("LockCorrupt"));
        assertThat(Jobs.condition(id, "Stalled").getStatus()).isEqualTo("True");
        eventually(() -> assertThat(Jobs.events(id, "LockCorrupt")).isNotEmpty());
        assertThat(operator.metrics()).doesNotContain("soloist_operator_watch_verdicts_total{verdict=\"corrupt\"} 0.0");
        assertThat(call("EXISTS", lock)).isEqualTo(List.of(1L));

        Jobs.edit(id, "{\"metadata\":{\"annotations\":{\"soloist.dev/force-unlock\":\"1\"}}}");
        eventually(() -> {
            assertThat(Jobs.status(id).getForceUnlock()).isEqualTo("1");
            assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True");
        });
        assertThat(call("EXISTS", lock)).isEqualTo(List.of(0L));
        assertThat(Jobs.status(id).getTerm()).isEqualTo(term + 1);
        assertThat(operator.store().singletons().snapshot(id).term()).isEqualTo(term + 1);
        eventually(() -> assertThat(Jobs.events(id, "Unlocked")).hasSize(1));

        Jobs.edit(id, "{\"metadata\":{\"annotations\":{\"soloist.dev/force-unlock\":\"2\"}}}");
        eventually(() -> assertThat(Jobs.events(id, "UnlockRefused")).hasSize(1));
        assertThat(Jobs.status(id).getTerm()).isEqualTo(term + 1);
    }

    @Test
    void n02_aStoreOfAnotherClusterIsLeftAloneUntilItIsOursAgain() {
        var id = job("crossed");
        var meta = operator.store().keys().meta();
        call("SET", meta, "{\"schema\":1,\"mode\":\"Scripted\",\"cluster\":\"another\"}");
        eventually(() -> assertThat(operator.metrics()).contains("soloist_operator_store_mode{mode=\"Refused\"} 1.0"));
        Pods.ready(namespace, "crossed", "crossed-1");
        Jobs.apply(Jobs.singleton(namespace, "crossed", "{every: 1h}"));

        eventually(() -> {
            assertThat(Jobs.condition(id, "StoreReady").getReason()).isEqualTo("StoreOfAnotherCluster");
            assertThat(Jobs.condition(id, "Ready").getMessage()).contains("SOLOIST_TAKE_OVER_FROM=another");
        });
        assertThat(call("KEYS", "*" + namespace + "*")).isEmpty();
        assertThat(ApiServer.admin()
                        .secrets()
                        .inNamespace(namespace)
                        .withName("soloist-store")
                        .get())
                .isNull();

        call("DEL", meta);
        eventually(() -> assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));
    }

    @Test
    void n02_jobsOfOneNameInTwoNamespacesShareNoKey() {
        var other = ApiServer.newNamespace();
        Jobs.apply(Jobs.singleton(namespace, "twin", "{every: 1h}"));
        Jobs.apply(Jobs.singleton(other, "twin", "{every: 2h}"));
        var first = new JobId(namespace, "twin");
        var second = new JobId(other, "twin");
        eventually(() -> {
            assertThat(state(first)).isNotEqualTo(SingletonState.ABSENT);
            assertThat(state(second)).isNotEqualTo(SingletonState.ABSENT);
        });

        assertThat(operator.store().singletons().snapshot(first).spec().scheduleText())
                .isEqualTo("every 3600000");
        assertThat(operator.store().singletons().snapshot(second).spec().scheduleText())
                .isEqualTo("every 7200000");
        Jobs.delete(first);
        eventually(() -> assertThat(state(first)).isEqualTo(SingletonState.DELETED));
        assertThat(state(second)).isNotEqualTo(SingletonState.DELETED);
    }

    @Test
    void f10_anOperatorThatMayNotRunScriptsSaysSoOnceAndGoesOnWhenItMay() {
        var id = job("forbidden");
        Pods.ready(namespace, "forbidden", "forbidden-1");
        call("ACL", "SETUSER", "default", "-eval", "-evalsha");
        Jobs.apply(Jobs.singleton(namespace, "forbidden", "{every: 1h}"));

        eventually(() -> {
            assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("StoreScriptsForbidden");
            assertThat(Jobs.condition(id, "StoreReady").getReason()).isEqualTo("StoreScriptsForbidden");
        });
        assertThat(operator.halts()).isZero();
        call("ACL", "SETUSER", "default", "+eval", "+evalsha");
        eventually(() -> assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True"));
    }

    @Test
    void theReasonsOfTheStoreAreThoseOfTheApi() throws IllegalAccessException {
        var known = new HashSet<Object>();
        for (Field field : Reasons.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                known.add(field.get(null));
            }
        }
        assertThat(known)
                .containsAll(Stream.concat(
                                Arrays.stream(RefusalReason.values()).map(RefusalReason::word),
                                Arrays.stream(Danger.Kind.values()).map(Danger.Kind::word))
                        .toList());
    }
}
