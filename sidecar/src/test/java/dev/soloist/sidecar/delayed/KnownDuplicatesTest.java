package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.OnceWithin;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleaseOn;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownDuplicatesTest {

    private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong(7);
    private final KnownDuplicates known = new KnownDuplicates(nanos::get);

    private static NewTask task(String key) {
        var once = new OnceWithin(TaskId.of(key), Duration.ofHours(1), ReleaseOn.TERMINAL);
        return new NewTask(TaskId.of("t"), Payload.of(new byte[0], "x"), When.now(), "r", OnDuplicate.REJECT)
                .once(once);
    }

    private static Enqueue taken(@Nullable Instant until) {
        var taken = new Enqueue.Taken(TaskId.of("owner"), until);
        return new Enqueue.Accepted(Enqueue.Outcome.DUPLICATE, NOW, false, NOW, taken);
    }

    @Test
    void aKeyWhoseTaskWasHandledIsAnsweredUntilItsWindowIsOver() {
        known.learn(task("k"), taken(NOW.plusSeconds(10)), Duration.ofSeconds(1));

        assertThat(known.answer(task("k")).orElseThrow().taken().by()).isEqualTo(TaskId.of("owner"));
        nanos.addAndGet(Duration.ofMillis(8_999).toNanos());
        assertThat(known.answer(task("k"))).isPresent();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(known.answer(task("k"))).isEmpty();
    }

    @Test
    void aKeyThatMayStillBeFreedIsNeverAnswered() {
        known.learn(task("k"), taken(null), Duration.ZERO);
        known.learn(task("l"), new Enqueue.Accepted(Enqueue.Outcome.CREATED, NOW, false, NOW), Duration.ZERO);
        known.learn(task("m"), new Enqueue.Refused(Enqueue.Reason.DEAD), Duration.ZERO);

        assertThat(known.answer(task("k"))).isEmpty();
        assertThat(known.answer(task("l"))).isEmpty();
        assertThat(known.answer(task("m"))).isEmpty();
    }

    @Test
    void anAnswerThatCameWhenTheWindowWasOverIsNotKept() {
        known.learn(task("k"), taken(NOW.plusSeconds(1)), Duration.ofSeconds(2));
        assertThat(known.answer(task("k"))).isEmpty();
    }

    @Test
    void whatWasForgottenIsAskedAgain() {
        known.learn(task("k"), taken(NOW.plusSeconds(10)), Duration.ZERO);
        known.forget();
        assertThat(known.answer(task("k"))).isEmpty();
    }

    @Test
    void itTakesHalfAMebibyteAtMost() {
        for (int i = 0; i < 20_000; i++) {
            known.learn(task("key-" + i), taken(NOW.plusSeconds(60)), Duration.ZERO);
        }
        long kept = 0;
        for (int i = 0; i < 20_000; i++) {
            kept += known.answer(task("key-" + i)).isPresent() ? 1 : 0;
        }
        assertThat(kept).isBetween(1000L, 512L * 1024 / 200);
    }
}
