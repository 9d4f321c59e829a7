package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AtOnceTest {

    private static final HostAndPort A = new HostAndPort("a", 1);
    private static final HostAndPort B = new HostAndPort("b", 2);
    private static final HostAndPort C = new HostAndPort("c", 3);

    @Test
    void eachIsAskedWhileAllOthersAre() {
        var meeting = new CountDownLatch(3);
        var errands = new HashMap<HostAndPort, Supplier<List<Object>>>();
        for (var server : List.of(A, B, C)) {
            errands.put(server, () -> {
                meeting.countDown();
                assertThat(awaits(meeting)).isTrue();
                return List.of(server.host());
            });
        }

        var answers = AtOnce.ask(errands, Duration.ofSeconds(50));

        assertThat(answers.orThrow())
                .containsOnly(Map.entry(A, List.of("a")), Map.entry(B, List.of("b")), Map.entry(C, List.of("c")));
    }

    @Test
    void theSilentFailTogetherAndKeepNobodyFromBeingHeard() {
        var never = new CountDownLatch(1);
        Supplier<List<Object>> silent = () -> {
            awaits(never);
            return List.of();
        };

        var answers = AtOnce.ask(
                Map.of(A, silent, B, silent, C, () -> {
                    throw new ScriptFailed("refused");
                }),
                Duration.ofMillis(200));
        never.countDown();

        assertThat(answers.replies()).isEmpty();
        assertThat(answers.failures().get(C)).isInstanceOf(ScriptFailed.class);
        for (var server : List.of(A, B)) {
            assertThat(answers.failures().get(server)).isInstanceOfSatisfying(RedisUnavailable.class, away -> {
                assertThat(away.kind()).isEqualTo(RedisUnavailable.Kind.TIMEOUT);
                assertThat(away).hasMessageContaining(server.toString());
            });
        }
    }

    @Test
    void aBugIsNoAnswer() {
        assertThatThrownBy(() -> AtOnce.ask(
                        Map.of(A, () -> {
                            throw new IllegalStateException("bug");
                        }),
                        Duration.ofSeconds(50)))
                .hasMessage("bug");
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
