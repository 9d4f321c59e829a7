package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScriptFlushIT {

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
    void aServerThatForgetsItsScriptsBeforeEveryCallIsServedAsIfItHadNot() {
        flushed(() -> q.enqueue(me, "a", When.after(Duration.ofMillis(1))));
        await().until(() -> flushed(() -> q.queue.move(me.value(), 10)).count() == 1);
        ReservedTask task = flushed(() -> q.reserve(me, 1)).tasks().getFirst();
        assertThat(flushed(() -> q.queue.extend(task.held(), MINUTE))).isInstanceOf(Extension.Extended.class);
        assertThat(flushed(() -> q.queue.giveBack(me, GiveBack.free(task.held(), Duration.ZERO, ""), 3)))
                .isEqualTo(GivenBack.READY);
        flushed(() -> q.queue.sweep(me, sweep(10)));
        assertThat(flushed(() -> q.queue.inspect(TaskId.of("a")))).isPresent();
        assertThat(flushed(() -> q.queue.counts(List.of(me.value()))).ready()).isEqualTo(1);
        Held held = flushed(() -> q.reserve(me, 1)).tasks().getFirst().held();
        assertThat(flushed(() -> q.queue.ack(held))).isEqualTo(Ack.ACKED);
        assertThat(flushed(() -> q.instances.heartbeat(me, MINUTE))).isInstanceOf(Heartbeat.Alive.class);
    }

    private <T> T flushed(Supplier<T> call) {
        q.link.call("SCRIPT", "FLUSH");
        return call.get();
    }
}
