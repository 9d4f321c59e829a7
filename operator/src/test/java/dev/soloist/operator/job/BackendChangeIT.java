package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.event.JobEvent;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A LockPolicy's back end and what becomes of a job when somebody changes it. */
@Tag("api")
class BackendChangeIT {

    /** Longer than any test, for its end is not what they are about. */
    private static final Duration TTL = Duration.ofMinutes(10);

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
    void aChangedBackEndWaitsForTheRunInProgressAndTheFencesRiseThereAndBack() {
        var id = new JobId(ApiServer.newNamespace(), "report");
        Pods.ready(id.namespace(), id.name(), "report-1");
        try (var operator = RunningOperator.start(redis)) {
            policy(id, "String");
            Jobs.apply(
                    Jobs.yaml(id.namespace(), id.name(), "lockPolicy: leases\n  singleton: {schedule: {every: 1h}}"));
            eventually().until(() -> state(operator, id, Backend.STRING) == SingletonState.DELAYED);
            var first = Holder.take(operator.store(), id, "uid", "report-1", TTL);

            policy(id, "Hash");
            eventually().until(() -> Jobs.condition(id, "Ready").getMessage().contains("in another way"));
            assertThat(first.renew(TTL)).isInstanceOf(Renewal.Renewed.class);
            assertThat(state(operator, id, Backend.HASH)).isEqualTo(SingletonState.ABSENT);
            var second = moved(operator, id, first, Backend.STRING, Backend.HASH);
            assertThat(operator.store().leases(id.namespace()).list().leases())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            LeaseView.OfJob.class,
                            lease -> assertThat(lease.name()).isEqualTo("report"));

            policy(id, "String");
            eventually().until(() -> Jobs.condition(id, "Ready").getMessage().contains("in another way"));
            moved(operator, id, second, Backend.HASH, Backend.STRING);
        }
    }

    @Test
    void whatAJobKnowsGoesAlongThereAndBackAndNothingOfItStaysBehind() {
        var id = new JobId(ApiServer.newNamespace(), "report");
        Pods.ready(id.namespace(), id.name(), "report-1");
        try (var operator = RunningOperator.start(redis)) {
            var store = operator.store();
            policy(id, "String");
            Jobs.apply(
                    Jobs.yaml(
                            id.namespace(),
                            id.name(),
                            "lockPolicy: leases\n  eventLog: {maxLength: 10}\n  singleton: {schedule: {every: 1h}, cooldown: 3h}"));
            eventually().until(() -> state(operator, id, Backend.STRING) == SingletonState.DELAYED);
            Holder.take(store, id, "uid", "report-1", TTL)
                    .finish(
                            new FinishRequest(
                                    RunResult.FAILED,
                                    "said so",
                                    store.link().now().plusSeconds(3600),
                                    false,
                                    ReleasePolicy.ON_COMPLETION,
                                    Duration.ZERO,
                                    Duration.ofHours(3)),
                            10);
            var known = store.singletons().snapshot(id, 20);
            assertThat(known.notBefore()).isAfter(known.redisNow().plus(Duration.ofHours(2)));
            var events = events(operator, id, Backend.STRING);
            assertThat(events).hasSize(1);

            var from = Backend.STRING;
            for (var word : List.of("Hash", "String")) {
                var place = from == Backend.STRING ? Backend.HASH : Backend.STRING;
                var former =
                        from == Backend.STRING ? store.keys() : store.keys().shared();
                policy(id, word);

                eventually().until(() -> state(operator, id, place) == SingletonState.DELAYED);
                var there = store.singletons(place).snapshot(id, 20);
                assertThat(there.notBefore()).isEqualTo(known.notBefore());
                assertThat(there.due()).isEqualTo(known.due());
                assertThat(there.runs()).isEqualTo(1);
                assertThat(there.fails()).isEqualTo(1);
                assertThat(there.last()).isEqualTo(known.last());
                assertThat(there.history()).isEqualTo(known.history());
                assertThat(events(operator, id, place)).isEqualTo(events);
                eventually()
                        .untilAsserted(() -> assertThat(store.link()
                                        .call(
                                                "EXISTS",
                                                former.log(id),
                                                former.history(id),
                                                former.mark(id),
                                                former.delayed(id)))
                                .containsExactly(0L));
                assertThat(store.link().call("HEXISTS", former.record(id), "cool"))
                        .containsExactly(0L);
                from = place;
            }
            eventually().untilAsserted(() -> {
                var status = Jobs.status(id);
                assertThat(status.getEventLog().kept()).isEqualTo(1);
                assertThat(status.getLastRun().result()).isEqualTo("Failed");
                assertThat(Instant.parse(status.getNextRun()))
                        .isEqualTo(known.notBefore().truncatedTo(ChronoUnit.SECONDS));
            });
        }
    }

    @Test
    void theRunOfADeadHolderKeepsNoJobInItsFormerPlace() {
        var id = new JobId(ApiServer.newNamespace(), "report");
        Pods.ready(id.namespace(), id.name(), "report-1");
        try (var operator = RunningOperator.start(redis)) {
            policy(id, "Hash");
            Jobs.apply(
                    Jobs.yaml(id.namespace(), id.name(), "lockPolicy: leases\n  singleton: {schedule: {every: 1h}}"));
            eventually().until(() -> state(operator, id, Backend.HASH) == SingletonState.DELAYED);
            Holder.take(operator.store(), Backend.HASH, id, "uid", "report-1", Duration.ofSeconds(3));

            policy(id, "String");

            eventually().until(() -> state(operator, id, Backend.STRING) == SingletonState.DELAYED);
            assertThat(state(operator, id, Backend.HASH)).isEqualTo(SingletonState.DELETED);
        }
    }

    @Test
    void aJobWhoseLeaseIsInTheHashIsDeletedAfterItsRun() {
        var id = new JobId(ApiServer.newNamespace(), "report");
        Pods.ready(id.namespace(), id.name(), "report-1");
        try (var operator = RunningOperator.start(redis)) {
            policy(id, "Hash");
            Jobs.apply(
                    Jobs.yaml(id.namespace(), id.name(), "lockPolicy: leases\n  singleton: {schedule: {every: 1h}}"));
            eventually().until(() -> state(operator, id, Backend.HASH) == SingletonState.DELAYED);
            var holder = Holder.take(operator.store(), Backend.HASH, id, "uid", "report-1", TTL);

            Jobs.delete(id);
            eventually()
                    .until(() -> holder.renew(TTL) instanceof Renewal.Renewed(var _, boolean cancelled) && cancelled);
            assertThat(Jobs.get(id)).isPresent();
            assertThat(finish(operator, holder)).isInstanceOf(Finishing.Finished.class);

            eventually().until(() -> Jobs.get(id).isEmpty());
            assertThat(state(operator, id, Backend.HASH)).isEqualTo(SingletonState.DELETED);
            assertThat(operator.store().leases(id.namespace()).list().leases()).isEmpty();
        }
    }

    /** Ends the last run in the former place, and begins one in the new. */
    private static Holder moved(RunningOperator operator, JobId id, Holder last, Backend from, Backend to) {
        Fence before = last.grant().fence();
        assertThat(finish(operator, last)).isInstanceOf(Finishing.Finished.class);
        eventually().until(() -> state(operator, id, to) == SingletonState.DELAYED);
        eventually().until(() -> "True".equals(Jobs.condition(id, "Ready").getStatus()));
        assertThat(state(operator, id, from)).isEqualTo(SingletonState.DELETED);
        var next = Holder.take(operator.store(), to, id, "uid", "report-1", TTL);
        assertThat(next.grant().fence()).isGreaterThan(before);
        assertThat(next.grant().fence().term()).isGreaterThan(before.term());
        return next;
    }

    private static Finishing finish(RunningOperator operator, Holder holder) {
        return holder.finish(
                RunResult.SUCCEEDED, operator.store().link().now().plusSeconds(3600), ReleasePolicy.ON_COMPLETION);
    }

    private static void policy(JobId id, String backend) {
        Jobs.apply("""
            apiVersion: soloist.dev/v1alpha1
            kind: LockPolicy
            metadata: {name: leases, namespace: %s}
            spec: {backend: %s, ttl: 20s, heartbeat: {enabled: true, every: 5s}}
            """.formatted(id.namespace(), backend));
    }

    private static List<JobEvent> events(RunningOperator operator, JobId id, Backend place) {
        var all = new CoordinationStore(operator.store().link(), Install.MAIN).runLog(id, place);
        return ((JobEvents.Page) all.newest(10)).events();
    }

    private static SingletonState state(RunningOperator operator, JobId id, Backend backend) {
        return operator.store().singletons(backend).snapshot(id).state();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60));
    }
}
