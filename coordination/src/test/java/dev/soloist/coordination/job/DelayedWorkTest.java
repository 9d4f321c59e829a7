package dev.soloist.coordination.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The recovery that is stated for delayed work. What is measured is in RecoveryStrategiesIT. */
class DelayedWorkTest {

    private static DelayedWork work(Duration visibility, Duration backoff, Delivery delivery, int shards) {
        return new DelayedWork(
                visibility,
                delivery == Delivery.AT_MOST_ONCE ? 1 : 10,
                new Backoff(backoff, 2, Duration.ofHours(1)),
                10,
                OnDuplicate.KEEP_EARLIEST,
                Transport.LIST,
                delivery,
                null,
                TaskLimits.DEFAULT,
                null,
                shards);
    }

    private static Duration stated(Duration visibility, Duration backoff, int shards) {
        return work(visibility, backoff, Delivery.AT_LEAST_ONCE, shards).worstCaseRecovery();
    }

    @Test
    void itIsTheVisibilityTheLongestLookTheFirstBackOffAndASecond() {
        // 4 s, half of it and a fifth more, 0.1 s, 1 s.
        assertThat(stated(Duration.ofSeconds(4), Duration.ofMillis(100), 1)).isEqualTo(Duration.ofMillis(7500));
    }

    @Test
    void aLookIsNeverFurtherAwayThanFiveSecondsAndAFifth() {
        assertThat(stated(Duration.ofSeconds(30), Duration.ofSeconds(10), 1)).isEqualTo(Duration.ofSeconds(47));
        assertThat(stated(Duration.ofHours(1), Duration.ofSeconds(1), 1))
                .isEqualTo(Duration.ofHours(1).plusSeconds(8));
    }

    @Test
    void fromTheFifthShardOnEachIsLookedAtLessOften() {
        assertThat(stated(Duration.ofSeconds(4), Duration.ofMillis(100), 4)).isEqualTo(Duration.ofMillis(7500));
        assertThat(stated(Duration.ofSeconds(4), Duration.ofMillis(100), 12)).isEqualTo(Duration.ofMillis(9500));
    }

    @Test
    void aTaskThatIsHandedOutAtMostOnceIsNotRecovered() {
        assertThat(work(Duration.ofSeconds(4), Duration.ofMillis(100), Delivery.AT_MOST_ONCE, 1)
                        .worstCaseRecovery())
                .isNull();
    }
}
