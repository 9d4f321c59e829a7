package dev.soloist.operator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaderWatchTest {

    private final AtomicLong nanos = new AtomicLong();
    private final LeaderWatch watch = new LeaderWatch(new KubernetesClientBuilder().build(), "ns", nanos::get);

    @Test
    void t02_aLeaseThatNobodyRenewsMakesLivenessFail() {
        watch.observe("1");
        pass(44);
        watch.observe("1");
        assertThat(watch.isHealthy()).isTrue();

        pass(2);
        watch.observe("1");

        assertThat(watch.isHealthy()).isFalse();
    }

    @Test
    void aLeaseThatIsRenewedIsHealthyForEver() {
        for (int i = 0; i < 100; i++) {
            watch.observe(String.valueOf(i));
            pass(10);
        }
        assertThat(watch.isHealthy()).isTrue();
    }

    @Test
    void aLeaseThatIsAbsentIsWaitedForOnlySoLong() {
        pass(46);
        watch.observe(null);

        assertThat(watch.isHealthy()).isFalse();
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
