package dev.soloist.operator.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.lease.LeaseHolder;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Kubectl;
import dev.soloist.operator.testkit.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recovery by what is seen of pods. Every lease here lasts longer than a test waits: what comes free was taken on evidence. */
@Tag("api")
class ReclaimIT {

    private static final Duration TTL = Duration.ofMinutes(5);
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
    void namespace() {
        namespace = ApiServer.newNamespace();
    }

    @Test
    void aLeaseIsFreeLongBeforeItsTtlOnceItsPodsContainersHaveEnded() {
        var pod = Pods.ready(namespace, "job", "job-1");
        var id = seeded("job");
        var holder = Holder.take(operator.store(), id, uid(pod), "job-1", TTL);
        Pods.delete(pod);
        assertThat(holder.renew(TTL)).as("a pod that is ending still works").isInstanceOf(Renewal.Renewed.class);

        var ended = System.nanoTime();
        Pods.allTerminated(pod);

        await().pollInterval(Duration.ofMillis(50))
                .atMost(TTL.dividedBy(4))
                .until(() -> operator.store().singletons().snapshot(id).state() == SingletonState.READY);
        System.out.printf("reclaim: %d ms after the report%n", (System.nanoTime() - ended) / 1_000_000);
        eventually().until(() -> operator.metrics().contains("soloist_operator_reclaims_total{reason=\"lease\"} 1.0"));
    }

    @Test
    void aLeaseOfAnAppIsFreeWhenItsPodsContainersHaveEndedAndNotBefore() {
        var pod = Pods.ready(namespace, "app", "app-1");
        var leases = operator.store().leases(namespace);
        var name = new LeaseName("export");
        var owner = new LeaseHolder(uid(pod), "app-1");
        leases.acquire(name, owner, Nonce.create(), Duration.ofMinutes(5));
        leases.acquire(new LeaseName("other"), new LeaseHolder("other", "app-2"), Nonce.create(), TTL);

        Pods.delete(pod);
        assertThat(leases.list().leases()).hasSize(2);
        Pods.allTerminated(pod);

        eventually()
                .untilAsserted(() -> assertThat(leases.list().leases())
                        .extracting(LeaseView::name)
                        .containsExactly("other"));
    }

    @Test
    void anInjectedPodHasAccessToTheStoreBeforeThereIsAnyJob() {
        Pods.ready(namespace, "early", "early-1");

        eventually()
                .untilAsserted(() -> assertThat(Kubectl.run("get", "secret", "-n", namespace, "-o", "name"))
                        .contains("secret/soloist-store"));
    }

    @Test
    void delayedTasksOfAPodThatEndedAreAdoptedByALivingOne() {
        var dead = Pods.ready(namespace, "queue", "queue-1");
        var living = Pods.ready(namespace, "queue", "queue-2");
        var id = seededQueue("queue");
        var instances = operator.store().instances(id);
        var deadInstance = InstanceId.create(uid(dead));
        var livingInstance = InstanceId.create(uid(living));
        instances.register(deadInstance, "queue-1", TTL);
        instances.register(livingInstance, "queue-2", TTL);

        Pods.delete(dead);
        Pods.allTerminated(dead);

        await().atMost(TTL.dividedBy(4))
                .untilAsserted(() -> assertThat(instances.list())
                        .singleElement()
                        .satisfies(view -> {
                            assertThat(view.id()).isEqualTo(livingInstance);
                            assertThat(view.segments()).contains(deadInstance.value());
                        }));
    }

    @Test
    void r03_aPodThatVanishedWhileItWasLastSeenRunningKeepsItsLease() {
        var pod = Pods.ready(namespace, "forced", "forced-1");
        var id = seeded("forced");
        var holder = Holder.take(operator.store(), id, uid(pod), "forced-1", TTL);

        Pods.forceDelete(pod);
        eventually()
                .until(() ->
                        !operator.store().registrations().assignments(namespace).containsKey(uid(pod)));

        assertThat(holder.renew(TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aSidecarThatEndedAloneLosesItsInstanceButNotTheRunOfItsApp() {
        var pod = Pods.ready(namespace, "mixed", "mixed-1");
        var id = seeded("mixed");
        var holder = Holder.take(operator.store(), id, uid(pod), "mixed-1", TTL);
        Pods.delete(pod);

        Pods.sidecarTerminated(pod);
        eventually()
                .until(() ->
                        operator.store().registrations().assignments(namespace).get(uid(pod)) == null
                                || !operator.store()
                                        .registrations()
                                        .assignments(namespace)
                                        .get(uid(pod))
                                        .eligible());

        assertThat(holder.renew(TTL)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void r01_aLivingPodIsNeverReclaimedWhilePodsAroundItComeAndGo() {
        var pod = Pods.ready(namespace, "busy", "busy-0");
        var id = seeded("busy");
        var holder = Holder.take(operator.store(), id, uid(pod), "busy-0", TTL);
        for (int i = 1; i <= 10; i++) {
            var other = Pods.ready(namespace, "busy", "busy-" + i);
            Pods.delete(other);
            Pods.allTerminated(other);
            Pods.forceDelete(other);
        }
        eventually()
                .until(() ->
                        operator.store().registrations().assignments(namespace).size() == 1);

        assertThat(holder.renew(TTL)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void r02_whatEndedWhileNoOperatorRanIsFoundAtItsStart() {
        var pod = Pods.ready(namespace, "unseen", "unseen-1");
        var id = seeded("unseen");
        Holder.take(operator.store(), id, uid(pod), "unseen-1", Duration.ofMinutes(5));
        operator.close();

        Pods.delete(pod);
        Pods.allTerminated(pod);
        operator = RunningOperator.start(REDIS);

        await().atMost(Duration.ofSeconds(60))
                .until(() -> operator.store().singletons().snapshot(id).state() == SingletonState.READY);
    }

    @Test
    void r04_aSilentInstanceIsFencedAndItsNextScriptTellsItSo() {
        var living = Pods.ready(namespace, "frozen", "frozen-2");
        var id = seededQueue("frozen");
        var instances = operator.store().instances(id);
        var silent = InstanceId.create("pod-of-a-silent-node");
        instances.register(silent, "frozen-1", Duration.ofMillis(100));
        var heir = InstanceId.create(uid(living));
        instances.register(heir, "frozen-2", Duration.ofMinutes(5));

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(instances.list())
                        .extracting(InstanceView::id)
                        .containsExactly(heir));
        assertThat(instances.heartbeat(silent, TTL)).isInstanceOf(Heartbeat.Fenced.class);
    }

    private JobId seeded(String name) {
        var id = new JobId(namespace, name);
        Jobs.apply(Jobs.singleton(namespace, name, "{every: 1h}"));
        eventually().until(() -> operator.store().singletons().snapshot(id).state() == SingletonState.DELAYED);
        eventually().until(() -> "True".equals(Jobs.condition(id, "Ready").getStatus()));
        return id;
    }

    private JobId seededQueue(String name) {
        var id = new JobId(namespace, name);
        Jobs.apply(Jobs.delayed(namespace, name));
        eventually().until(() -> "True".equals(Jobs.condition(id, "Ready").getStatus()));
        return id;
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }
}
