package dev.soloist.coordination.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.QueueUnderTest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Another implementation, made after the document alone, takes turns with ours on the same data. */
class SecondClientIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final String OTHER = "other-uid-zzzzzz";

    @Test
    void theTwoTakeTurnsInRunningAJob() throws Exception {
        var job = new JobId("shop", "nightly");
        try (RedisLink link = REDIS.link();
                var other = new SecondClient(REDIS.port(), job.toString(), OTHER)) {
            var ours = new SingletonStore(new ScriptRunner(link), new RedisKeys(Install.MAIN));
            ours.seed(job, "uid", 1, "mark", link.now().minusMillis(10), false, new SpecRevision("1", "every 1h"));

            assertThat(other.claim("0", "nonce-of-the-other", "30000")).containsExactly("STALE_TERM", "1");
            List<String> granted = other.claim("1", "nonce-of-the-other", "30000");
            assertThat(granted).startsWith("OK", "1", "1");
            assertThat(claim(ours, link, job)).isInstanceOf(Claim.NotDue.class);
            assertThat(other.renew("nonce-of-the-other", "30000")).containsExactly("OK", "30000", "0");
            assertThat(ours.snapshot(job).current())
                    .isNotNull()
                    .satisfies(run -> assertThat(run.owner().value()).isEqualTo(OTHER));
            String due = String.valueOf(link.now().minusMillis(1).toEpochMilli());
            assertThat(other.finish("nonce-of-the-other", granted.get(2), granted.get(3), due))
                    .startsWith("OK", "DELAYED");
            assertThat(ours.history(job))
                    .singleElement()
                    .satisfies(run -> assertThat(run.message()).isEqualTo("by the other"));

            Claim mine = claim(ours, link, job);
            assertThat(mine).isInstanceOf(Claim.Claimed.class);
            assertThat(((Claim.Claimed) mine).grant().fence().sequence()).isGreaterThan(Long.parseLong(granted.get(3)));
            assertThat(other.claim("1", "nonce-2-of-the-other", "30000")).startsWith("EMPTY", "RUNNING");
            assertThat(ours.snapshot(job).state()).isEqualTo(SingletonState.RUNNING);
        }
    }

    private static Claim claim(SingletonStore ours, RedisLink link, JobId job) {
        return ours.claim(
                job,
                new ClaimRequest(
                        1,
                        new InstanceId("ours-uid-aaaaaa"),
                        "our pod",
                        Nonce.create(),
                        Duration.ofSeconds(30),
                        link.now().plusSeconds(2)));
    }

    @Test
    void theTwoHandleEachOthersTasks() throws Exception {
        try (var q = new QueueUnderTest(REDIS.link());
                var other = new SecondClient(REDIS.port(), QueueUnderTest.JOB.toString(), OTHER)) {
            InstanceId mine = q.member();
            assertThat(other.register("other-uid")).startsWith("REGISTERED");

            assertThat(other.enqueue("from-other", "0", "key-1", "payload of the other"))
                    .startsWith("ACCEPTED", "CREATED");
            assertThat(other.enqueue("from-other", "0", "key-1", "payload of the other"))
                    .startsWith("ACCEPTED", "DUPLICATE");
            var again = QueueUnderTest.task(TaskId.of("from-other"), When.now(), OnDuplicate.REJECT, "key-1");
            assertThat(q.accepted(mine, again).outcome()).isEqualTo(Enqueue.Outcome.DUPLICATE);
            ReservedTask task = q.reserve(mine, 1).tasks().getFirst();
            assertThat(new String(task.payload().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("payload of the other");
            assertThat(other.ack("from-other", "a receipt of nobody")).containsExactly("ACKS", "STALE");
            assertThat(q.queue.ack(task.held())).isEqualTo(Ack.ACKED);

            q.enqueue(mine, "due-from-us", When.now());
            q.enqueue(mine, "later-from-us", When.after(Duration.ofMillis(1)));
            var ids = new HashSet<String>();
            for (int nonce = 0; ids.size() < 2 && nonce < 1000; nonce++) {
                other.move(mine.value());
                // now, whether there is more, then per task: id, type, payload, attempt, due, enqueued, receipt; and at
                // the end how long a rate limit holds
                List<String> reserved = other.reserve("other-" + nonce + "-nonce");
                for (int i = 3; i + 7 < reserved.size(); i += 7) {
                    ids.add(reserved.get(i));
                    assertThat(other.ack(reserved.get(i), reserved.get(i + 6))).containsExactly("ACKS", "ACKED");
                }
            }
            assertThat(ids).containsExactlyInAnyOrder("due-from-us", "later-from-us");
            assertThat(q.queue
                            .inspect(TaskId.of("due-from-us"))
                            .orElseThrow()
                            .state()
                            .name())
                    .isEqualTo("DONE");
        }
    }
}
