package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Holder;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis goes away, comes back empty, or is emptied. */
@Tag("api")
class StoreLossIT {

    private final RedisProcess redis = new RedisProcess();
    private RunningOperator operator;
    private String namespace = "";
    private JobId id = new JobId("none", "none");

    @BeforeEach
    void start() {
        redis.start();
        operator = RunningOperator.start(redis, Duration.ofSeconds(3));
        namespace = ApiServer.newNamespace();
        Pods.ready(namespace, "job", "job-1");
        id = new JobId(namespace, "job");
        Jobs.apply(Jobs.singleton(namespace, "job", "{every: 1h}"));
        eventually().until(() -> "True".equals(Jobs.condition(id, "Ready").getStatus()));
    }

    @AfterEach
    void stop() {
        operator.close();
        redis.close();
    }

    @Test
    void aFlushedStoreIsSeededAnewUnderAHigherTermAndFencesStillRise() {
        var before = Holder.take(operator.store(), id, "pod-1", "job-1", Duration.ofSeconds(30))
                .grant()
                .fence();
        var term = Jobs.status(id).getTerm();

        operator.store().link().call("FLUSHALL");

        eventually().untilAsserted(() -> {
            assertThat(operator.store().singletons().snapshot(id).state()).isEqualTo(SingletonState.DELAYED);
            assertThat(Jobs.status(id).getTerm()).isGreaterThan(term);
            assertThat(Jobs.events(id, "TermRaised")).isNotEmpty();
        });
        var after = Holder.take(operator.store(), id, "pod-2", "job-2", Duration.ofSeconds(30))
                .grant()
                .fence();
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void aStoreThatIsAwayIsAConditionAndComesBackEmptyWithItsUsers() throws Exception {
        redis.kill();
        eventually().untilAsserted(() -> {
            assertThat(Jobs.condition(id, "Ready").getReason()).isEqualTo("StoreUnreachable");
            assertThat(Jobs.condition(id, "StoreReady").getStatus()).isEqualTo("False");
        });

        redis.start();

        // The test's own link to the store may come back later than the operator's.
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(RedisUnavailable.class)
                .untilAsserted(() -> {
                    assertThat(Jobs.condition(id, "Ready").getStatus()).isEqualTo("True");
                    assertThat(operator.store().singletons().snapshot(id).state())
                            .isEqualTo(SingletonState.DELAYED);
                });
        assertThat(operator.store().link().call("ACL", "USERS"))
                .extracting(user -> new String((byte[]) user, StandardCharsets.UTF_8))
                .contains("soloist:main:" + namespace);
        assertThat(Jobs.status(id).getTerm()).isGreaterThan(1);
    }

    @Test
    void aDeletedJobDoesNotWaitForEverForAStoreThatIsAway() {
        redis.kill();

        Jobs.delete(id);

        await().atMost(Duration.ofSeconds(60)).until(() -> Jobs.get(id).isEmpty());
        assertThat(Jobs.events(id, "DeletedWithoutStore")).hasSize(1);
    }

    @Test
    void aDeletedJobDoesNotWaitForEverForKeysThatSomebodyHasDamaged() {
        var record = operator.store().keys().record(id);
        operator.store().link().call("DEL", record);
        operator.store().link().call("SET", record, "damaged");

        Jobs.delete(id);

        await().atMost(Duration.ofSeconds(60)).until(() -> Jobs.get(id).isEmpty());
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }
}
