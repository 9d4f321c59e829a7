package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static dev.soloist.coordination.delayed.QueueUnderTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ClusterGroup;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deduplication and rate limit where the keys of a job lie on one of three primaries. */
class KeysAndRatesOnAClusterIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(0);

    private static NewTask once(String id, String key) {
        return task(id, When.now(), OnDuplicate.REJECT)
                .once(new OnceWithin(TaskId.of(key), Duration.ofHours(1), ReleaseOn.TERMINAL));
    }

    @Test
    void podsOverLinksOfTheirOwnShareKeysAndTheLimit() {
        var limit = new RateLimit(2, MINUTE);
        try (var one = new QueueUnderTest(GROUP.patientLink());
                var other = new QueueUnderTest(GROUP.patientLink())) {
            var me = one.member();
            var you = other.member();
            assertThat(one.accepted(me, once("a", "k")).outcome()).isEqualTo(Outcome.CREATED);
            var duplicate = other.accepted(you, once("b", "k"));
            assertThat(duplicate.outcome()).isEqualTo(Outcome.DUPLICATE);
            assertThat(duplicate.taken().by()).isEqualTo(TaskId.of("a"));
            one.accepted(me, once("c", "l"));
            one.accepted(me, once("d", "m"));

            var mine = reserve(one, me, limit);
            var yours = reserve(other, you, limit);

            assertThat(mine.tasks()).hasSize(2);
            assertThat(yours.tasks()).isEmpty();
            assertThat(yours.closedFor()).isPositive();
            one.queue.ack(mine.tasks().stream().map(ReservedTask::held).toList());
            assertThat(other.accepted(you, once("e", "k")).taken().until()).isNotNull();
            assertThat(other.queue.cancel(TaskId.of("d"))).isEqualTo(Cancellation.CANCELLED);
            assertThat(other.accepted(you, once("f", "m")).outcome()).isEqualTo(Outcome.CREATED);
            other.queue.purge();
        }
    }

    private static Reservation.Reserved reserve(QueueUnderTest q, InstanceId instance, RateLimit limit) {
        return (Reservation.Reserved)
                q.queue.reserve(instance, new ReserveRequest(Nonce.create(), 2, MINUTE, 3, limit));
    }
}
