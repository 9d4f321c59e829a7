package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaveIT {

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
    void anInstanceThatLeavesIsAdoptedAtOnceAndTheOthersAreTold() throws Exception {
        InstanceId heir = q.member();
        q.enqueue(me, "a", MINUTE_LATER);
        var heard = ConcurrentHashMap.<String>newKeySet();
        try (AutoCloseable subscription = q.link.subscribe(KEYS.queueWake(JOB), heard::add)) {
            assertThat(subscription).isNotNull();
            await().untilAsserted(() -> {
                q.link.call("PUBLISH", KEYS.queueWake(JOB), "test");
                assertThat(heard).contains("test");
            });

            assertThat(q.instances.leave(me)).isEqualTo(Leaving.LEFT);

            await().untilAsserted(() -> assertThat(heard).contains("left"));
            assertThat(q.instances.adopt(me, heir)).isInstanceOf(Adoption.Adopted.class);
            await().untilAsserted(() -> assertThat(heard).contains("adopted"));
        }
        assertThat(q.instances.segments(heir)).contains(me.value());
    }

    @Test
    void leavingTwiceIsHarmless() {
        q.instances.leave(me);

        assertThat(q.instances.leave(me)).isEqualTo(Leaving.LEFT);
        q.instances.adopt(me, q.member());
        assertThat(q.instances.leave(me)).isEqualTo(Leaving.GONE);
    }

    @Test
    void whatWasReservedButNotBegunIsGivenBackWithoutCountingAndGoesToAnother() {
        Held held = q.held(me, "a", MINUTE).held();

        assertThat(q.queue.giveBack(me, GiveBack.free(held, Duration.ZERO, "leaving"), 3))
                .isEqualTo(GivenBack.READY);
        q.instances.leave(me);

        assertThat(q.reserve(q.member(), 1).tasks().getFirst().attempt()).isEqualTo(1);
    }
}
