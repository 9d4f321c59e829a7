package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE_LATER;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.Enqueue.Accepted;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TaskIdIT {

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

    static List<byte[]> ids() {
        String accented = "Tr\u01b0\u1eddng";
        List<String> texts = List.of(
                "a:b",
                "a|b",
                "|",
                "1|2|3|4|5|6|7|8|9|",
                "{x}",
                "}",
                "*",
                "a b",
                " ",
                "%s",
                "a\r\nb",
                "a,b",
                "a'b\"c\\d",
                "_shared",
                "0",
                "-1",
                "x".repeat(256),
                "\ud83d\ude00",
                Normalizer.normalize(accented, Normalizer.Form.NFC),
                Normalizer.normalize(accented, Normalizer.Form.NFD));
        var ids = new ArrayList<byte[]>();
        texts.forEach(text -> ids.add(text.getBytes(StandardCharsets.UTF_8)));
        ids.add(new byte[] {0});
        ids.add(new byte[] {0, (byte) 0xff});
        ids.add(new byte[] {(byte) 0xc3, 0x28});
        return ids;
    }

    @ParameterizedTest
    @MethodSource("ids")
    void p01_everyIdMakesEveryStepByteByByte(byte[] raw) {
        TaskId id = TaskId.fromBytes(raw);
        var payload = Payload.of(raw, new String(raw, StandardCharsets.UTF_8));

        q.accepted(me, new NewTask(id, payload, When.after(Duration.ofMillis(1)), "r1", OnDuplicate.REJECT));
        assertThat(q.queue.reschedule(id, When.after(Duration.ofMillis(1)), me))
                .isInstanceOf(Rescheduling.Rescheduled.class);
        await().until(() -> q.queue.move(me.value(), 10).count() == 1);
        Nonce nonce = Nonce.create();
        ReservedTask first = q.reserve(me, nonce, 1, MINUTE).tasks().getFirst();
        assertThat(first.id().bytes()).isEqualTo(raw);
        assertThat(first.payload().bytes()).isEqualTo(raw);
        assertThat(q.reserve(me, nonce, 1, Duration.ofMillis(1)).tasks()).containsExactly(first);
        await().until(() -> q.queue.sweep(me, sweep(10)).delayed() == 1);
        await().until(() -> q.queue.move(me.value(), 10).count() == 1);
        ReservedTask second = q.reserve(me, 1).tasks().getFirst();
        assertThat(second.id()).isEqualTo(id);
        assertThat(q.queue.extend(second.held(), MINUTE)).isInstanceOf(Extension.Extended.class);
        assertThat(q.queue.inspect(id).orElseThrow().payload()).isEqualTo(payload);
        assertThat(q.queue.giveBack(me, GiveBack.dead(second.held(), "a|b"), 9)).isEqualTo(GivenBack.DEAD);
        assertThat(q.queue.dead(0, 10).getFirst().id()).isEqualTo(id);
        assertThat(q.queue.requeue(id)).isEqualTo(Requeue.REQUEUED);
        assertThat(q.queue.ack(q.reserve(me, 1).tasks().getFirst().held())).isEqualTo(Ack.ACKED);
        assertThat(q.queue.inspect(id).orElseThrow().state()).isEqualTo(TaskState.DONE);
        q.accepted(me, new NewTask(id, payload, MINUTE_LATER, "r2", OnDuplicate.REJECT));
        assertThat(q.queue.cancel(id)).isEqualTo(Cancellation.CANCELLED);

        assertThat(q.segment(me)).isEmpty();
        assertThat(q.hash(KEYS.tasks(JOB))).isEmpty();
        assertThat(q.hash(KEYS.attempts(JOB))).isEmpty();
        assertThat(q.dump().keySet()).allMatch(key -> key.startsWith("soloist:main:{shop/mails/0}:"));
    }

    @Test
    void p01_composedAndDecomposedAccentsAreTwoIds() {
        String accented = "Tr\u01b0\u1eddng";
        q.enqueue(me, Normalizer.normalize(accented, Normalizer.Form.NFC), When.now());

        assertThat(q.enqueue(me, Normalizer.normalize(accented, Normalizer.Form.NFD), When.now()))
                .isInstanceOf(Accepted.class);

        assertThat(q.reserve(me, 5).tasks()).hasSize(2);
    }

    @Test
    void p01_noIdAndATooLongOneAreRefusedBeforeRedisIsAsked() {
        assertThatThrownBy(() -> TaskId.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TaskId.of("x".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("257");
        assertThatThrownBy(() -> TaskId.of("\ud83d\ude00".repeat(65))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRequestKeyOfAnyTextIsStoredAsADigest() {
        for (String key : List.of("|", ",", "a,b", "x".repeat(100_000), "\u0000")) {
            NewTask task = task(TaskId.of("a" + key.length() + key.hashCode()), MINUTE_LATER, OnDuplicate.REJECT, key);
            assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.CREATED);
            assertThat(q.accepted(me, task).outcome()).isEqualTo(Outcome.DUPLICATE);
        }
        assertThat(q.hash(KEYS.tasks(JOB)).values()).allMatch(value -> value.length() < 200);
    }
}
