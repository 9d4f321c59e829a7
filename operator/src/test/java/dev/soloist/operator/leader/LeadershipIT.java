package dev.soloist.operator.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("api")
class LeadershipIT {

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
    void aReplicaThatStopsOnPurposeHandsOverWithinSeconds() {
        var first = RunningOperator.start(redis);
        await().atMost(Duration.ofSeconds(20)).until(first::leads);
        try (var second = RunningOperator.start(redis)) {
            assertThat(second.leads()).isFalse();

            first.close();

            await().atMost(Duration.ofSeconds(8)).until(second::leads);
        }
    }

    @Test
    void t01_aReplicaWhoseLeaseWasTakenEndsItself() {
        try (var operator = RunningOperator.start(redis)) {
            await().atMost(Duration.ofSeconds(20)).until(operator::leads);

            ApiServer.admin()
                    .leases()
                    .inNamespace("soloist-system")
                    .withName(Leadership.LEASE)
                    .edit(lease -> {
                        lease.getSpec().setHolderIdentity("somebody-else");
                        return lease;
                    });

            await().atMost(Duration.ofSeconds(20)).until(() -> operator.halts() == 1);
            assertThat(operator.leads()).isFalse();
        } finally {
            ApiServer.admin()
                    .leases()
                    .inNamespace("soloist-system")
                    .withName(Leadership.LEASE)
                    .delete();
        }
    }

    @Test
    void t01_twoOperatorsThatBothLeadNeverDoubleAToken() {
        var namespace = ApiServer.newNamespace();
        Pods.ready(namespace, "shared", "shared-1");
        try (var one = RunningOperator.start(redis);
                var other = RunningOperator.startBesideAnother(redis)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> one.leads() && other.leads());
            var ids = IntStream.range(0, 5)
                    .mapToObj(i -> new JobId(namespace, "shared-" + i))
                    .toList();
            for (int round = 0; round < 4; round++) {
                for (var id : ids) {
                    Jobs.apply(Jobs.singleton(namespace, id.name(), "{every: " + (round + 1) + "h}"));
                }
            }

            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                for (var id : ids) {
                    var snapshot = one.store().singletons().snapshot(id);
                    assertThat(snapshot.state()).isEqualTo(SingletonState.DELAYED);
                    assertThat(snapshot.spec().scheduleText()).isEqualTo("every 14400000");
                    assertThat(one.store()
                                    .link()
                                    .call("ZCARD", one.store().keys().delayed(id)))
                            .isEqualTo(List.of(1L));
                    assertThat(one.store()
                                    .link()
                                    .call("LLEN", one.store().keys().ready(id)))
                            .isEqualTo(List.of(0L));
                }
            });
            ids.forEach(Jobs::delete);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ids.stream().allMatch(id -> Jobs.get(id).isEmpty()));
        }
    }
}
