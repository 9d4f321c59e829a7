package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Reservation.Reserved;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RateLimitIT {

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

    private Reserved reserve(InstanceId instance, Nonce nonce, int max, RateLimit limit) {
        return (Reserved) q.queue.reserve(instance, new ReserveRequest(nonce, max, MINUTE, 3, limit));
    }

    private Reserved reserve(int max, RateLimit limit) {
        return reserve(me, Nonce.create(), max, limit);
    }

    private void ready(int count) {
        for (int i = 0; i < count; i++) {
            q.enqueue(me, "t" + i, When.now());
        }
    }

    @Test
    void whatIsOverTheLimitWaitsWithoutAnAttempt() {
        ready(5);
        var limit = new RateLimit(3, Duration.ofMinutes(1));

        Reserved first = reserve(10, limit);
        assertThat(first.tasks()).hasSize(3);
        assertThat(first.closedFor()).isBetween(Duration.ofSeconds(40), Duration.ofMillis(60_001));

        Reserved second = reserve(10, limit);
        assertThat(second.tasks()).isEmpty();
        assertThat(second.closedFor()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(60_001));
        assertThat(q.list(1)).containsExactly("1t3", "1t4");
        assertThat(q.queue.inspect(TaskId.of("t3")).orElseThrow().attempts()).isZero();
    }

    @Test
    void thePodsOfAJobShareOneLimit() {
        ready(6);
        var limit = new RateLimit(4, Duration.ofMinutes(1));
        var other = q.member();

        assertThat(reserve(me, Nonce.create(), 3, limit).tasks()).hasSize(3);
        assertThat(reserve(other, Nonce.create(), 3, limit).tasks()).hasSize(1);
        assertThat(reserve(other, Nonce.create(), 3, limit).tasks()).isEmpty();
        assertThat(reserve(me, Nonce.create(), 3, limit).tasks()).isEmpty();
    }

    @Test
    void theWindowOpensWhenItSaysAndNotBefore() {
        ready(2);
        var limit = new RateLimit(1, Duration.ofMillis(300));
        Reserved first = reserve(1, limit);

        var opens = first.redisNow().plus(first.closedFor());
        Reserved second = Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .until(
                        () -> {
                            Reserved answer = reserve(1, limit);
                            if (answer.tasks().isEmpty()) {
                                assertThat(answer.redisNow()).isBefore(opens);
                                assertThat(answer.redisNow().plus(answer.closedFor()))
                                        .isEqualTo(opens);
                            }
                            return answer;
                        },
                        reserved -> !reserved.tasks().isEmpty());

        assertThat(second.redisNow()).isAfterOrEqualTo(opens);
        assertThat(Duration.between(first.redisNow(), second.redisNow())).isGreaterThan(Duration.ofMillis(300));
    }

    @Test
    void aRepeatOfTheSameCallCountsOnce() {
        ready(3);
        var limit = new RateLimit(2, Duration.ofMinutes(1));
        var nonce = Nonce.create();

        assertThat(reserve(me, nonce, 1, limit).tasks()).hasSize(1);
        assertThat(reserve(me, nonce, 1, limit).tasks()).hasSize(1);
        assertThat(reserve(1, limit).tasks()).hasSize(1);
        assertThat(reserve(1, limit).tasks()).isEmpty();
    }

    @Test
    void whatIsGivenBackHasBegunAllTheSame() {
        ready(1);
        var limit = new RateLimit(2, Duration.ofMinutes(1));
        var held = reserve(1, limit).tasks().getFirst().held();
        q.queue.giveBack(me, GiveBack.free(held, Duration.ZERO, "busy"), 3);
        var again = reserve(1, limit).tasks().getFirst().held();
        q.queue.giveBack(me, GiveBack.retry(again, Duration.ZERO, "failed"), 3);

        assertThat(reserve(1, limit).tasks()).isEmpty();
    }

    @Test
    void whatNeverReachedItsAppHasNotBegun() {
        ready(3);
        var limit = new RateLimit(1, Duration.ofMinutes(1));
        for (int i = 0; i < 3; i++) {
            var held = reserve(1, limit).tasks().getFirst().held();
            assertThat(reserve(1, limit).closedFor()).isPositive();
            assertThat(q.queue.giveBack(me, GiveBack.unseen(held, Duration.ZERO, "absent"), 1))
                    .isEqualTo(GivenBack.READY);
            assertThat(q.queue.inspect(held.id()).orElseThrow().attempts()).isZero();
        }
        assertThat(reserve(1, limit).tasks()).hasSize(1);
        assertThat(reserve(1, limit).tasks()).isEmpty();
    }

    @Test
    void whoDoesNotHoldATaskTakesNoStartBack() {
        ready(2);
        var limit = new RateLimit(1, Duration.ofMinutes(1));
        var held = reserve(1, limit).tasks().getFirst().held();
        q.queue.ack(held);

        assertThat(q.queue.giveBack(me, GiveBack.unseen(held, Duration.ZERO, "absent"), 3))
                .isEqualTo(GivenBack.STALE);

        assertThat(reserve(1, limit).tasks()).isEmpty();
    }

    @Test
    void aStartIsTakenBackOnce() {
        ready(6);
        var limit = new RateLimit(2, Duration.ofMinutes(1));
        var first = reserve(1, limit).tasks().getFirst().held();
        assertThat(reserve(1, limit).tasks()).hasSize(1);
        for (int i = 0; i < 3; i++) {
            q.queue.giveBack(me, GiveBack.unseen(first, MINUTE, "absent"), 3);
        }

        assertThat(reserve(10, limit).tasks()).hasSize(1);
        assertThat(reserve(10, limit).tasks()).isEmpty();
    }

    @Test
    void inNoSpanBeginMoreThanTheLimitSaysThoughOthersNeverReachTheirApp() throws Exception {
        long seed = System.nanoTime();
        var limit = new RateLimit(10, Duration.ofMillis(200));
        int tasks = 80;
        ready(tasks);
        var starts = new ConcurrentLinkedQueue<Long>();
        var unseen = new ConcurrentLinkedQueue<Held>();
        var pods = new ArrayList<Thread>();
        for (int pod = 0; pod < 4; pod++) {
            var instance = q.member();
            var dice = new Random(seed + pod);
            pods.add(Thread.ofVirtual().start(() -> {
                while (starts.size() < tasks) {
                    Reserved answer = reserve(instance, Nonce.create(), 1 + dice.nextInt(12), limit);
                    for (var task : answer.tasks()) {
                        if (dice.nextInt(3) == 0) {
                            q.queue.giveBack(instance, GiveBack.unseen(task.held(), Duration.ZERO, "absent"), 3);
                            unseen.add(task.held());
                        } else {
                            q.queue.ack(task.held());
                            starts.add(answer.redisNow().toEpochMilli());
                        }
                    }
                    LockSupport.parkNanos(Math.min(answer.closedFor().toNanos(), 20_000_000));
                }
            }));
        }
        for (var pod : pods) {
            assertThat(pod.join(Duration.ofSeconds(120))).isTrue();
        }
        assertThat(unseen).as("seed %d", seed).isNotEmpty();
        List<Long> sorted = starts.stream().sorted().toList();
        for (int i = limit.max(); i < sorted.size(); i++) {
            assertThat(sorted.get(i) - sorted.get(i - limit.max()))
                    .as("seed %d: start %d", seed, i)
                    .isGreaterThan(limit.per().toMillis());
        }
    }

    @Test
    void anEmptyQueueUsesNothingUp() {
        var limit = new RateLimit(2, Duration.ofMinutes(1));
        for (int i = 0; i < 5; i++) {
            assertThat(reserve(10, limit).closedFor()).isZero();
        }
        ready(2);
        assertThat(reserve(10, limit).tasks()).hasSize(2);
    }

    @Test
    void anotherLimitCountsFromTheNextCallOn() {
        ready(20);
        assertThat(reserve(10, new RateLimit(5, Duration.ofMinutes(1))).tasks()).hasSize(5);
        assertThat(reserve(10, new RateLimit(7, Duration.ofMinutes(1))).tasks()).hasSize(2);
        assertThat(reserve(10, new RateLimit(3, Duration.ofMinutes(1))).tasks()).isEmpty();
        Awaitility.await()
                .until(() -> reserve(10, new RateLimit(3, Duration.ofMillis(1)))
                                .tasks()
                                .size()
                        == 3);
    }

    @Test
    void aClockThatWasSetBackDelaysByOneWindowAtMost() {
        ready(1);
        long ahead = q.link.now().plus(Duration.ofHours(3)).toEpochMilli();
        q.link.call("ZADD", KEYS.starts(JOB), Long.toString(ahead), "from-before");
        var limit = new RateLimit(1, Duration.ofMillis(200));

        assertThat(reserve(1, limit).closedFor()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(201));
        Awaitility.await().until(() -> !reserve(1, limit).tasks().isEmpty());
    }

    @Test
    void whatIsRememberedIsBoundedAndEndsByItself() {
        ready(30);
        var limit = new RateLimit(4, Duration.ofMillis(50));
        var taken = new ArrayList<ReservedTask>();
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> {
            taken.addAll(reserve(10, limit).tasks());
            assertThat(q.zset(KEYS.starts(JOB))).hasSizeLessThanOrEqualTo(4);
            return taken.size() == 30;
        });
        assertThat((Long) q.link.call("PTTL", KEYS.starts(JOB)).getFirst())
                .as("over, or with an end")
                .isNotEqualTo(-1L)
                .isLessThanOrEqualTo(1050L);
    }

    @Test
    void inNoSpanBeginMoreThanTheLimitSaysWhoeverAsksAndHowever() throws Exception {
        long seed = System.nanoTime();
        var limit = new RateLimit(20, Duration.ofMillis(250));
        int tasks = 200;
        ready(tasks);
        var starts = new ConcurrentLinkedQueue<Long>();
        var pods = new ArrayList<Thread>();
        for (int pod = 0; pod < 6; pod++) {
            var instance = q.member();
            var dice = new Random(seed + pod);
            pods.add(Thread.ofVirtual().start(() -> {
                while (starts.size() < tasks) {
                    Reserved answer = reserve(instance, Nonce.create(), 1 + dice.nextInt(30), limit);
                    long at = answer.redisNow().toEpochMilli();
                    answer.tasks().forEach(_ -> starts.add(at));
                    LockSupport.parkNanos(answer.closedFor().toNanos() / (1 + dice.nextInt(3)));
                }
            }));
        }
        for (var pod : pods) {
            assertThat(pod.join(Duration.ofSeconds(120))).isTrue();
        }
        List<Long> sorted = starts.stream().sorted().toList();
        for (int i = limit.max(); i < sorted.size(); i++) {
            assertThat(sorted.get(i) - sorted.get(i - limit.max()))
                    .as("seed %d: start %d comes within a span of the one %d before", seed, i, limit.max())
                    .isGreaterThan(limit.per().toMillis());
        }
        // Nine spans have to pass.
        assertThat(sorted.getLast() - sorted.getFirst()).isGreaterThanOrEqualTo(9 * 250L);
    }
}
