package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Receipt;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.trigger.AppCall;
import dev.soloist.sidecar.trigger.AppRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes of a task by what Redis and its replicas say of its removal. */
class OnceCallTest {

    private static final Durability ONE = new Durability.Replicated(1, Duration.ofMillis(100));
    private static final ReservedTask TASK = new ReservedTask(
            TaskId.of("a"), AppRequest.NO_BODY, new Receipt("nonce:1"), 1, Instant.EPOCH, Instant.EPOCH);
    private static final Acknowledged<Extension> FOLLOWED = extended(false, true);

    private final TestApp app = new TestApp();
    private final List<String> asked = new ArrayList<>();

    @AfterEach
    void close() {
        app.close();
    }

    private static Acknowledged<Extension> extended(boolean withdrawn, boolean enough) {
        return new Acknowledged<>(new Extension.Extended(withdrawn, Instant.EPOCH), enough);
    }

    private static Supplier<Object> acked(Ack answer, boolean enough) {
        return () -> new Acknowledged<>(answer, enough);
    }

    /** A queue that answers so, one call after another, the last answer again and again. */
    @SafeVarargs
    private DelayedQueue queue(Acknowledged<Extension> extension, Supplier<Object>... removals) {
        return (DelayedQueue) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DelayedQueue.class}, (_, call, _) -> {
                    if (call.getName().equals("extend")) {
                        asked.add("extend");
                        return extension;
                    }
                    int before = (int) asked.stream().filter("ack"::equals).count();
                    asked.add(call.getName());
                    return removals[Math.min(before, removals.length - 1)].get();
                });
    }

    private Conclusion call(DelayedQueue queue, Durability durability, Duration visibility) {
        var request = new AppRequest(
                "POST",
                app.port(),
                "/mail",
                Map.of("Soloist-Task", "a"),
                Payload.of(new byte[0], ""),
                Duration.ofSeconds(30));
        return new OnceCall(
                        queue,
                        durability,
                        TASK,
                        new AppCall(request),
                        visibility,
                        System.nanoTime() + visibility.toNanos())
                .execute(() -> {});
    }

    private Conclusion call(DelayedQueue queue) {
        return call(queue, ONE, Duration.ofMinutes(1));
    }

    @Test
    void aTaskIsGivenBackBeforeItsRemovalWhileReplicasDoNotFollow() {
        var conclusion = call(queue(extended(false, false), acked(Ack.ACKED, true)));

        assertThat(conclusion).isInstanceOfSatisfying(Conclusion.Give.class, give -> {
            assertThat(give.standBack()).isTrue();
            assertThat(give.back().mode()).isEqualTo(GiveBack.Mode.UNSEEN);
        });
        assertThat(asked).containsExactly("extend");
        assertThat(app.calls()).isEmpty();
    }

    @Test
    void aTaskThatIsTakenBackOrWithdrawnMeanwhileIsNotRemoved() {
        assertThat(call(queue(Acknowledged.of(new Extension.Stale())))).isInstanceOf(Conclusion.Nothing.class);
        assertThat(call(queue(extended(true, true)))).isInstanceOf(Conclusion.Give.class);
        assertThat(asked).containsExactly("extend", "extend");
        assertThat(app.calls()).isEmpty();
    }

    @Test
    void aRemovalThatIsAcknowledgedLateIsARemoval() {
        var conclusion =
                call(queue(FOLLOWED, acked(Ack.ACKED, false), acked(Ack.REPEATED, false), acked(Ack.REPEATED, true)));

        assertThat(conclusion).isEqualTo(new Conclusion.Removed(""));
        assertThat(asked).containsExactly("extend", "ack", "ack", "ack");
        assertThat(app.calls()).hasSize(1);
    }

    @Test
    void aRemovalThatIsNeverAcknowledgedLosesTheTaskAloud() {
        var conclusion =
                call(queue(FOLLOWED, acked(Ack.ACKED, false), acked(Ack.REPEATED, false)), ONE, Duration.ofMillis(300));

        assertThat(conclusion)
                .isInstanceOfSatisfying(
                        Conclusion.Lost.class,
                        lost -> assertThat(lost.why()).contains("was removed", "too few replicas"));
        assertThat(app.calls()).as("a failover may bring it to others").isEmpty();
    }

    @Test
    void aRemovalThatAFailoverForgotLeavesTheTaskToOthers() {
        var conclusion = call(queue(FOLLOWED, acked(Ack.ACKED, false), acked(Ack.STALE, true)));

        assertThat(conclusion).isEqualTo(new Conclusion.Nothing());
        assertThat(app.calls()).isEmpty();
    }

    @Test
    void aRemovalThatIsNeverAnsweredMayHaveLostTheTaskAndSaysSo() {
        Supplier<Object> silence = () -> {
            throw RedisUnavailable.refused("no answer");
        };
        var conclusion = call(queue(FOLLOWED, silence), Durability.LOCAL, Duration.ofMillis(300));

        assertThat(conclusion)
                .isInstanceOfSatisfying(
                        Conclusion.Lost.class, lost -> assertThat(lost.why()).contains("not answered"));
        assertThat(asked).doesNotContain("extend");
        assertThat(app.calls()).isEmpty();
    }
}
