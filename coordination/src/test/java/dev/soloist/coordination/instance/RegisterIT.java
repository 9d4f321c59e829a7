package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegisterIT {

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
    void aNewInstanceIsListedWithItsLeaseAndItsOwnSegment() {
        InstanceId fresh = InstanceId.create("pod-1");

        assertThat(q.instances.register(fresh, "web-0", MINUTE)).isEqualTo(new Registering.Registered(List.of()));

        assertThat(q.field(KEYS.instanceMembers(JOB), fresh.value())).isEqualTo("ACTIVE|web-0|" + fresh);
        assertThat(Instant.ofEpochMilli(q.zset(KEYS.instanceLeases(JOB)).get(fresh.value())))
                .isBetween(q.link.now().plusSeconds(30), q.link.now().plusSeconds(60));
        assertThat(q.instances.segments(fresh)).containsExactly(fresh.value());
    }

    @Test
    void aRestartInTheSamePodLearnsOfItsPredecessorsAndOfNobodyElse() {
        InstanceId first = q.member("pod-1");
        InstanceId second = q.member("pod-1");
        q.member("pod-11");
        q.member("pod-1-a");

        Registering answer = q.instances.register(InstanceId.create("pod-1"), "web-0", MINUTE);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Registering.Registered.class,
                        registered -> assertThat(registered.predecessors()).containsExactlyInAnyOrder(first, second));
    }

    @Test
    void aFencedInstanceDoesNotComeBackUnderItsOldName() {
        q.instances.fence(me, new Evidence.Terminated());

        assertThat(q.instances.register(me, "web-0", MINUTE)).isEqualTo(new Registering.Fenced());
        assertThat(q.instances.heartbeat(me, MINUTE)).isEqualTo(new Heartbeat.Fenced());
    }

    @Test
    void registeringAgainKeepsAdoptedSegments() {
        InstanceId dead = q.member();
        q.instances.fence(dead, new Evidence.Terminated());
        q.instances.adopt(dead, me);

        q.instances.register(me, "web-0", MINUTE);

        assertThat(q.instances.segments(me)).containsExactly(me.value(), dead.value());
    }
}
