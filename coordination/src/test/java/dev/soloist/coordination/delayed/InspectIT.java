package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InspectIT {

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
    void aTaskIsSeenInEveryStateOfItsLife() {
        assertThat(q.queue.inspect(TaskId.of("a"))).isEmpty();
        Accepted accepted = q.accepted(me, task("a", MINUTE_LATER, OnDuplicate.REJECT));

        TaskView delayed = view();
        assertThat(delayed.state()).isEqualTo(TaskState.DELAYED);
        assertThat(delayed.dueAt()).isEqualTo(accepted.dueAt());
        assertThat(delayed.enqueuedAt()).isEqualTo(accepted.redisNow());
        assertThat(delayed.payload()).isEqualTo(Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"));
        assertThat(delayed.holder()).isNull();

        q.queue.reschedule(TaskId.of("a"), When.now(), me);
        assertThat(view().state()).isEqualTo(TaskState.READY);

        Reservation.Reserved reserved = q.reserve(me, 1);
        TaskView held = view();
        assertThat(held.state()).isEqualTo(TaskState.IN_FLIGHT);
        assertThat(held.holder()).isEqualTo(me.value());
        assertThat(held.visibleAgainAt()).isEqualTo(reserved.redisNow().plus(MINUTE));
        assertThat(held.attempts()).isEqualTo(1);

        q.queue.giveBack(me, GiveBack.dead(reserved.tasks().getFirst().held(), "no"), 3);
        assertThat(view().state()).isEqualTo(TaskState.DEAD);
        assertThat(view().lastError()).isEqualTo("no");

        q.queue.requeue(TaskId.of("a"));
        q.queue.ack(q.reserve(me, 1).tasks().getFirst().held());
        TaskView done = view();
        assertThat(done.state()).isEqualTo(TaskState.DONE);
        assertThat(done.attempts()).isEqualTo(1);
        assertThat(done.payload()).isNull();
    }

    private TaskView view() {
        return q.queue.inspect(TaskId.of("a")).orElseThrow();
    }
}
