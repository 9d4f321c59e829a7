package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a job's token when somebody deletes it, or when two operators look after it. */
@Tag("api")
class TokenIT {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration TICK = Duration.ofSeconds(60);

    private final RedisProcess redis = new RedisProcess();

    @BeforeEach
    void start() {
        redis.start();
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void t05_aDeletedTokenIsPutBackInEveryState() {
        var namespace = ApiServer.newNamespace();
        var id = new JobId(namespace, "tokens");
        Pods.ready(namespace, "tokens", "tokens-1");
        try (var operator = RunningOperator.start(redis)) {
            var store = operator.store();
            Jobs.apply(Jobs.singleton(namespace, "tokens", "{every: 1h}"));
            await().atMost(Duration.ofSeconds(60)).until(() -> state(operator, id) == SingletonState.DELAYED);
            var generation = store.singletons().snapshot(id).generation();

            removeTokens(operator, id);
            await().atMost(TICK)
                    .until(() -> size(operator, "ZCARD", store.keys().delayed(id)) == 1);
            assertThat(store.link().call("ZSCORE", store.keys().delayed(id), Long.toString(generation)))
                    .doesNotContainNull();
            await().atMost(TICK).until(() -> !Jobs.events(id, "TokenRestored").isEmpty());

            store.singletons().triggerNow(id, true);
            await().atMost(TICK).until(() -> state(operator, id) == SingletonState.READY);
            generation = store.singletons().snapshot(id).generation();
            removeTokens(operator, id);
            await().atMost(TICK).until(() -> size(operator, "LLEN", store.keys().ready(id)) == 1);
            assertThat(store.singletons().snapshot(id).generation()).isEqualTo(generation);

            var holder = Holder.take(store, id, "pod-uid", "tokens-1", LEASE);
            removeTokens(operator, id);
            var looked = watched(operator);
            await().atMost(TICK).until(() -> watched(operator) > looked + 1);
            assertThat(size(operator, "EXISTS", store.keys().ready(id))).isZero();
            assertThat(size(operator, "EXISTS", store.keys().delayed(id))).isZero();
            assertThat(holder.renew(LEASE)).isInstanceOf(Renewal.Renewed.class);
            assertThat(holder.finish(
                            RunResult.SUCCEEDED, store.link().now().plusSeconds(3600), ReleasePolicy.ON_COMPLETION))
                    .isInstanceOf(Finishing.Finished.class);
        }
    }

    @Test
    void t03_twoOperatorsThatBothLeadStartEachSlotOnce() {
        var namespace = ApiServer.newNamespace();
        var id = new JobId(namespace, "both");
        Pods.ready(namespace, "both", "both-1");
        try (var one = RunningOperator.start(redis);
                var other = RunningOperator.startBesideAnother(redis)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> one.leads() && other.leads());
            Jobs.apply(Jobs.singleton(namespace, "both", "{every: 1s}"));
            var store = one.store();
            await().atMost(Duration.ofSeconds(60)).until(() -> state(one, id) != SingletonState.ABSENT);

            var slots = new HashSet<String>();
            for (int run = 1; run <= 10; run++) {
                var rival = new SlotHolder(store, id, "pod-a-" + run);
                var second = new SlotHolder(store, id, "pod-b-" + run);
                await().atMost(TICK).until(() -> rival.claims() | second.claims());
                // Both operators look on while the run lasts.
                assertThat(rival.holds() && second.holds()).isFalse();
                assertThat(size(one, "LLEN", store.keys().ready(id))).isZero();
                slots.add((rival.holds() ? rival : second).finish());
            }

            assertThat(slots).hasSize(10);
            assertThat(store.singletons().snapshot(id).runs()).isEqualTo(10);
            // Two looks, between which the token may go from one place to the other; a second token would stay.
            await().atMost(TICK)
                    .until(() -> size(one, "ZCARD", store.keys().delayed(id))
                                    + size(one, "LLEN", store.keys().ready(id))
                            == 1);
        }
    }

    private static void removeTokens(RunningOperator operator, JobId id) {
        var keys = operator.store().keys();
        operator.store().link().call("DEL", keys.ready(id), keys.delayed(id));
    }

    private static SingletonState state(RunningOperator operator, JobId id) {
        return operator.store().singletons().snapshot(id).state();
    }

    private static long size(RunningOperator operator, String command, String key) {
        return (Long) List.copyOf(operator.store().link().call(command, key)).getFirst();
    }

    private static double watched(RunningOperator operator) {
        return operator.metrics()
                .lines()
                .filter(line -> line.startsWith("soloist_operator_watch_verdicts_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
