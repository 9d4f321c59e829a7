package dev.soloist.operator.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Kubectl;
import dev.soloist.operator.testkit.Pods;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("api")
class LeadershipIT {

    /** A follower that had to wait for the end of such a Lease would lead too late. */
    private static final Pace LONG = new Pace(Duration.ofMinutes(5), Duration.ofMinutes(4), Duration.ofSeconds(1));

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
    void aReplicaThatStopsOnPurposeHandsOverLongBeforeItsLeaseEnds() {
        var first = RunningOperator.start(redis, LONG);
        await().atMost(Duration.ofSeconds(60)).until(first::leads);
        try (var second = RunningOperator.start(redis, LONG)) {
            assertThat(second.leads()).isFalse();

            first.close();

            await().atMost(Duration.ofSeconds(60)).until(second::leads);
        }
    }

    @Test
    void t01_aReplicaWhoseLeaseWasTakenEndsItself() {
        try (var operator = RunningOperator.start(redis, Pace.USUAL)) {
            await().atMost(Duration.ofSeconds(60)).until(operator::leads);

            // Whatever version of it there is, and for longer than the operator waits.
            Kubectl.run(
                    "patch",
                    "lease",
                    Leadership.LEASE,
                    "-n",
                    "soloist-system",
                    "--type=merge",
                    "-p",
                    "{\"spec\":{\"holderIdentity\":\"somebody-else\",\"renewTime\":\"2099-01-01T00:00:00.000000Z\"}}");

            await().atMost(Duration.ofSeconds(60)).until(() -> operator.halts() == 1);
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
    void aLeaseThatSomebodyChangesAtThatMomentIsGivenBackAllTheSame() {
        var namespace = ApiServer.newNamespace();
        var leases = ApiServer.admin().leases().inNamespace(namespace);
        leases.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(Leadership.LEASE)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("me")
                        .endSpec()
                        .build())
                .create();
        var changes = new AtomicInteger();
        try (var client = ApiServer.newAdmin(new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (request.method().equals("PATCH") && changes.getAndIncrement() < 2) {
                    leases.withName(Leadership.LEASE).edit(lease -> {
                        lease.getSpec().setLeaseTransitions(changes.get());
                        return lease;
                    });
                }
            }
        })) {
            new Leadership(namespace, "me", Pace.USUAL, leads -> {}, () -> {}).release(client);
        }

        assertThat(changes).hasValue(3);
        assertThat(leases.withName(Leadership.LEASE).get().getSpec().getHolderIdentity())
                .isNullOrEmpty();
    }

    @Test
    void t01_twoOperatorsThatBothLeadNeverDoubleAToken() {
        var namespace = ApiServer.newNamespace();
        Pods.ready(namespace, "shared", "shared-1");
        try (var one = RunningOperator.start(redis);
                var other = RunningOperator.startBesideAnother(redis)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> one.leads() && other.leads());
            var ids = IntStream.range(0, 5)
                    .mapToObj(i -> new JobId(namespace, "shared-" + i))
                    .toList();
            for (int round = 0; round < 4; round++) {
                for (var id : ids) {
                    Jobs.apply(Jobs.singleton(namespace, id.name(), "{every: " + (round + 1) + "h}"));
                }
            }

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
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
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> ids.stream().allMatch(id -> Jobs.get(id).isEmpty()));
        }
    }
}
