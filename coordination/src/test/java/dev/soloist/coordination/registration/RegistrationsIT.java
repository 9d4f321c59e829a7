package dev.soloist.coordination.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the operator writes on the board, sidecars read from it. */
class RegistrationsIT {

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    static final RedisKeys KEYS = new RedisKeys(Install.MAIN);
    static final String SHOP = "shop";

    RedisLink link;
    Registrations board;

    @BeforeEach
    void open() {
        link = REDIS.link();
        board = new Registrations(REDIS.scripts(link), KEYS);
    }

    @AfterEach
    void close() {
        link.close();
    }

    static JobDefinition job(String name, long generation) {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1));
        return new JobDefinition(
                new JobId(SHOP, name),
                "uid-of-" + name,
                generation,
                1,
                false,
                new Trigger(8080, "/run", Duration.ofSeconds(10)),
                new LeasePolicy(
                        Duration.ofSeconds(30),
                        true,
                        Duration.ofSeconds(10),
                        ReleasePolicy.ON_COMPLETION,
                        Duration.ZERO,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(3),
                        Duration.ofHours(1)),
                new SingletonWork(new Every(Duration.ofMinutes(5)), new Retry(3, backoff)));
    }

    @Test
    void aPodReadsTheJobsThatItWasAssigned() {
        board.publish(job("nightly", 1));
        board.publish(job("other", 1));
        board.assign(SHOP, "pod-1", new Assignment("web-1", true, Set.of("nightly")));

        Registration seen = board.read(SHOP, "pod-1");

        assertThat(seen.jobs()).containsExactly(job("nightly", 1));
        assertThat(board.read(SHOP, "pod-2").jobs()).isEmpty();
        assertThat(board.published(SHOP)).containsExactlyInAnyOrder("nightly", "other");
        assertThat(board.assignments(SHOP))
                .isEqualTo(Map.of("pod-1", new Assignment("web-1", true, Set.of("nightly"))));
    }

    @Test
    void theSameAgainIsNoChange() {
        assertThat(board.publish(job("nightly", 1))).isTrue();
        assertThat(board.publish(job("nightly", 1))).isFalse();
        assertThat(board.publish(job("nightly", 2))).isTrue();
        assertThat(board.unassign(SHOP, "pod-1")).isFalse();
    }

    @Test
    void aBoardIsEmptyAfterTheLastEntryIsTakenOff() {
        board.publish(job("nightly", 1));
        board.assign(SHOP, "pod-1", new Assignment("web-1", true, Set.of()));

        assertThat(board.withdraw(new JobId(SHOP, "nightly"))).isTrue();
        assertThat(board.unassign(SHOP, "pod-1")).isTrue();

        assertThat(board.published(SHOP)).isEmpty();
        assertThat(link.call("KEYS", "*")).isEmpty();
        assertThat(board.publish(job("nightly", 1))).isTrue();
    }

    @Test
    void aChangeIsHintedAndNoChangeIsNot() throws Exception {
        var heard = new CopyOnWriteArrayList<String>();
        try (RedisLink listening = REDIS.link();
                AutoCloseable subscription = listening.subscribe(KEYS.registrationWake(SHOP), heard::add)) {
            assertThat(subscription).isNotNull();
            await().until(() -> {
                link.call("PUBLISH", KEYS.registrationWake(SHOP), "hello");
                return heard.contains("hello");
            });

            board.assign(SHOP, "pod-1", new Assignment("web-1", true, Set.of()));
            board.assign(SHOP, "pod-1", new Assignment("web-1", true, Set.of()));
            board.unassign(SHOP, "pod-1");
            link.call("PUBLISH", KEYS.registrationWake(SHOP), "so far");

            await().until(() -> heard.contains("so far"));
            assertThat(heard.stream().filter("pod-1"::equals)).hasSize(2);
        }
    }

    @Test
    void writersOfOneBoardLoseNothingOfEachOther() {
        List<Thread> writers = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    for (int pod = 0; pod < 5; pod++) {
                        board.assign(SHOP, "pod-" + i + "-" + pod, new Assignment("web", true, Set.of()));
                    }
                }))
                .toList();

        await().until(() -> writers.stream().noneMatch(Thread::isAlive));

        assertThat(board.assignments(SHOP)).hasSize(40);
    }
}
