package dev.soloist.coordination.instance;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RolloutsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void r05_instancesOfEndedPodsDoNotPileUp() {
        try (var q = new QueueUnderTest(REDIS.link())) {
            int pods = 3;
            List<InstanceId> living = new ArrayList<>();
            for (int i = 0; i < pods; i++) {
                living.add(q.member());
            }
            for (int rollout = 0; rollout < 50; rollout++) {
                for (int pod = 0; pod < pods; pod++) {
                    InstanceId old = living.get(pod);
                    InstanceId fresh = q.member();
                    q.enqueue(old, "t" + rollout + "-" + pod, When.now());
                    q.held(old, "h" + rollout + "-" + pod, MINUTE);
                    // Some leave in order, some are killed.
                    if (rollout % 2 == 0) {
                        q.instances.leave(old);
                    } else {
                        q.instances.fence(old, new Evidence.Terminated());
                    }
                    assertThat(q.instances.adopt(old, fresh)).isInstanceOf(Adoption.Adopted.class);
                    q.queue.move(old.value(), 500);
                    q.instances.drop(fresh, old.value());
                    living.set(pod, fresh);
                }
            }

            assertThat(q.instances.list())
                    .hasSize(pods)
                    .allMatch(instance -> instance.segments().size() == 1);
            assertThat(q.zset(KEYS.instanceLeases(JOB))).hasSize(pods);
            assertThat(q.hash(KEYS.reservations(JOB))).hasSizeLessThanOrEqualTo(pods);
        }
    }
}
