package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HeartbeatIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private QueueUnderTest q;
    private InstanceId me;

    @BeforeEach
    void open() {
        q = new QueueUnderTest(REDIS.link());
        me = q.member();
    }

    @AfterEach
    void close() {
        q.close();
    }

    @Test
    void theLeaseBeginsAnewAndTheSegmentsAreTold() {
        Heartbeat answer = q.instances.heartbeat(me, Duration.ofMinutes(5));

        assertThat(answer).isInstanceOfSatisfying(Heartbeat.Alive.class, alive -> {
            assertThat(alive.segments()).containsExactly(me.value());
            assertThat(q.zset(KEYS.instanceLeases(JOB)))
                    .containsEntry(
                            me.value(),
                            alive.redisNow().plus(Duration.ofMinutes(5)).toEpochMilli());
        });
    }

    @Test
    void anInstanceThatRedisHasLostIsToldToRegisterAnew() {
        q.link.call("FLUSHALL");

        assertThat(q.instances.heartbeat(me, MINUTE)).isEqualTo(new Heartbeat.Fenced());
        assertThat(q.zset(KEYS.instanceLeases(JOB))).isEmpty();
    }

    @Test
    void aLeaseThatIsOverIsRenewedAsLongAsNobodyHasFenced() {
        q.instances.heartbeat(me, Duration.ofMillis(1));
        await().until(() -> !overFor().isZero());

        assertThat(q.instances.heartbeat(me, MINUTE)).isInstanceOf(Heartbeat.Alive.class);

        assertThat(overFor()).isZero();
    }

    private Duration overFor() {
        return q.instances.list().getFirst().overFor();
    }
}
