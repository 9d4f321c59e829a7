package dev.soloist.coordination.singleton;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SingletonLeaseTest {
    private static final Fence FENCE = new Fence(1, 2);
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final long SENT = Long.MAX_VALUE - 1_000_000_000L; // the monotonic clock may turn over

    @ParameterizedTest
    @CsvSource({"PT30S,PT3S", "PT6S,PT0.6S", "PT5S,PT0.5S", "PT2S,PT0.5S", "PT0.6S,PT0.3S", "PT10M,PT1M"})
    void theMarginIsATenthAtLeastHalfASecondAtMostHalf(Duration ttl, Duration margin) {
        assertThat(SingletonLease.margin(ttl)).isEqualTo(margin);
    }

    @Test
    void itEndsAMarginBeforeWhatTheAnswerSaidCountedFromTheSending() {
        SingletonLease lease = SingletonLease.of(FENCE, SENT, TTL, TTL);

        assertThat(lease.isValidAt(SENT)).isTrue();
        assertThat(lease.isValidAt(SENT + Duration.ofSeconds(27).toNanos() - 1)).isTrue();
        assertThat(lease.isValidAt(SENT + Duration.ofSeconds(27).toNanos())).isFalse();
    }

    @Test
    void anAnswerWithLittleLeftMayBeOverAtOnce() {
        assertThat(SingletonLease.of(FENCE, SENT, Duration.ofSeconds(3), TTL).isValidAt(SENT))
                .isFalse();
    }

    @Test
    void aRenewalNeverBringsTheEndForward() {
        SingletonLease lease = SingletonLease.of(FENCE, SENT, TTL, TTL);

        assertThat(lease.renewed(SENT - 1, TTL, TTL)).isSameAs(lease);
        assertThat(lease.renewed(SENT + 10, TTL, TTL).deadlineNanos()).isEqualTo(lease.deadlineNanos() + 10);
    }
}
