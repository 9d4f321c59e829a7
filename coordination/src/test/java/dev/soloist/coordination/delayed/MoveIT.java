package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MoveIT {

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
    void dueTasksGoToTheReadyListInTheOrderOfTheirDue() {
        q.enqueue(me, "second", When.after(Duration.ofMillis(20)));
        q.enqueue(me, "first", When.after(Duration.ofMillis(10)));
        q.enqueue(me, "far", MINUTE_LATER);
        long far = q.segment(me).get("1far");
        await().until(() -> q.link.now().toEpochMilli() > q.segment(me).get("1second"));

        Moved moved = q.queue.move(me.value(), 10);

        assertThat(moved.count()).isEqualTo(2);
        assertThat(moved.nextHead()).isEqualTo(Instant.ofEpochMilli(far));
        assertThat(q.list(1)).containsExactly("1first", "1second");
        assertThat(q.segment(me)).containsOnlyKeys("1far");
    }

    @Test
    void nothingMovesBeforeItsDue() {
        q.enqueue(me, "a", MINUTE_LATER);

        Moved moved = q.queue.move(me.value(), 10);

        assertThat(moved.count()).isZero();
        assertThat(moved.untilNext(Duration.ofHours(1))).isBetween(Duration.ofSeconds(20), MINUTE);
        assertThat(moved.untilNext(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anEmptySegmentHasNoNextHead() {
        assertThat(q.queue.move(me.value(), 10).nextHead()).isNull();
    }

    @Test
    void aBatchIsBoundedAndTheRestComesNext() {
        due(me.value(), 7);

        assertThat(q.queue.move(me.value(), 5).count()).isEqualTo(5);
        assertThat(q.queue.move(me.value(), 5).count()).isEqualTo(2);
        assertThat(q.list(1)).hasSize(7);
    }

    @Test
    void aThousandTasksMoveInOneCall() {
        due(me.value(), 1000);

        assertThat(q.queue.move(me.value(), 1000).count()).isEqualTo(1000);
    }

    @Test
    void anybodyMayMoveTheSegmentOfAFencedInstance() {
        q.enqueue(me, "a", When.after(Duration.ofMillis(1)));
        q.instances.fence(me, new Evidence.Terminated());

        await().until(() -> q.queue.move(me.value(), 10).count() == 1);

        assertThat(q.reserve(q.member(), 1).tasks()).hasSize(1);
    }

    @Test
    void priorityDigitsChooseTheList() {
        for (String member : List.of("0high", "1normal", "2low")) {
            q.link.call("ZADD", KEYS.sharedSegment(JOB), "1", member);
        }

        q.queue.moveShared(10);

        assertThat(q.list(0)).containsExactly("0high");
        assertThat(q.list(1)).containsExactly("1normal");
        assertThat(q.list(2)).containsExactly("2low");
    }

    private void due(String segment, int count) {
        for (int i = 0; i < count; i++) {
            q.link.call("ZADD", KEYS.segment(JOB, segment), "1", "1task-" + i);
        }
    }
}
