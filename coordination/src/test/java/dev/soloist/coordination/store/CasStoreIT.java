package dev.soloist.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.Seeding;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole facade on a server that answers as Pika does. What is proven is our side of it, not Pika's. */
class CasStoreIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final JobId JOB = new JobId("shop", "report");
    private static final Duration TTL = Duration.ofSeconds(10);

    private RedisLink link;

    @BeforeEach
    void connect() {
        link = PIKA.link();
    }

    @AfterEach
    void disconnect() {
        link.close();
    }

    @Test
    void aSingletonRunsWhole() {
        var store = new CoordinationStore(link, Install.MAIN, ModeWish.atLeast(DataMode.CAS));
        assertThat(store.gate().mode()).isEqualTo(new StoreMode.Cas());
        var singletons = store.singletons();
        var pod = InstanceId.create("pod");
        var nonce = Nonce.create();

        assertThat(singletons.seed(
                        JOB, "uid", 1, "mark", link.now().minusMillis(10), false, new SpecRevision("1", "every 1h")))
                .isInstanceOf(Seeding.Seeded.class);
        var claim = singletons.claim(
                JOB, new ClaimRequest(1, pod, "pod-1", nonce, TTL, link.now().plusSeconds(5)));
        assertThat(claim).isInstanceOf(Claim.Claimed.class);
        assertThat(singletons.renew(JOB, pod, nonce, TTL)).isInstanceOf(Renewal.Renewed.class);
        var fence = ((Claim.Claimed) claim).grant().fence();
        var end = new FinishRequest(
                RunResult.SUCCEEDED,
                "",
                link.now().plusSeconds(3600),
                false,
                ReleasePolicy.HOLD_UNTIL_NEXT_RUN,
                Duration.ZERO);
        assertThat(singletons.finish(JOB, pod, nonce, fence, end)).isInstanceOf(Finishing.Finished.class);

        assertThat(singletons.snapshot(JOB, 1).state()).isEqualTo(SingletonState.DELAYED);
        assertThat(singletons.history(JOB)).hasSize(1);
    }

    @Test
    void aDelayedTaskIsHandledWhole() {
        var store = new CoordinationStore(link, Install.MAIN, ModeWish.atLeast(DataMode.CAS));
        var queue = store.queue(JOB);
        var pod = InstanceId.create("pod");
        store.instances(JOB).register(pod, "pod-1", TTL);
        var task = new NewTask(
                TaskId.of("t"),
                Payload.of("1".getBytes(StandardCharsets.UTF_8), "text/plain"),
                When.now(),
                Nonce.create().value(),
                OnDuplicate.KEEP_EARLIEST);

        assertThat(queue.enqueue(pod, task)).isInstanceOf(Enqueue.Accepted.class);
        queue.move(pod.value(), 10);
        var reserved = (Reservation.Reserved) queue.reserve(pod, new ReserveRequest(Nonce.create(), 1, TTL, 3));
        assertThat(reserved.tasks()).hasSize(1);
        assertThat(queue.ack(reserved.tasks().getFirst().held())).isEqualTo(Ack.ACKED);
        assertThat(queue.inspect(TaskId.of("t")))
                .hasValueSatisfying(view -> assertThat(view.state()).isEqualTo(TaskState.DONE));
    }

    @Test
    void aStoreForWhichScriptsAreAskedLetsNothingThrough() {
        var store = new CoordinationStore(link, Install.MAIN);

        assertThatThrownBy(() -> store.singletons().snapshot(JOB))
                .isInstanceOfSatisfying(RedisUnavailable.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED);
                    assertThat(refused).hasMessageContaining("minimumMode");
                });
        assertThat(store.isUsable()).isFalse();
        try (RedisLink behind = PIKA.behind().link()) {
            assertThat(behind.call("KEYS", "*")).isEmpty();
        }
    }
}
