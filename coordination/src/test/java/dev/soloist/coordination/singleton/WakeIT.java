package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.ServerUnderTest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever waits is told when a job becomes ready or is due earlier, so that nobody has to poll fast. */
class WakeIT {

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private SingletonUnderTest job;
    private AutoCloseable subscription;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
        subscription = job.link.subscribe(job.keys.jobWake(JOB), heard::add);
        await().untilAsserted(() -> {
            job.call("PUBLISH", job.keys.jobWake(JOB), "hello");
            assertThat(heard).contains("hello");
        });
    }

    @AfterEach
    void close() throws Exception {
        subscription.close();
        job.close();
    }

    record Row(Consumer<SingletonUnderTest> given, String name, Consumer<SingletonUnderTest> step, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> steps() {
        return Stream.of(
                new Row(b -> {}, "seed", SingletonUnderTest::delayed, "delayed"),
                new Row(SingletonUnderTest::due, "promote", b -> b.store.promote(JOB), "ready"),
                new Row(SingletonUnderTest::delayed, "trigger", b -> b.store.triggerNow(JOB, false), "ready"),
                new Row(SingletonUnderTest::paused, "resume", b -> b.store.resume(JOB, b.now()), "delayed"),
                new Row(
                        SingletonUnderTest::delayed,
                        "update",
                        b -> b.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), b.now()),
                        "delayed"),
                new Row(
                        SingletonUnderTest::running,
                        "release",
                        b -> b.store.release(JOB, ALICE, nonceOf(ALICE)),
                        "ready"),
                new Row(
                        SingletonUnderTest::due,
                        "finish",
                        b -> b.finish(BOB, b.claimed(BOB, nonceOf(BOB)).fence(), b.success()),
                        "delayed"),
                new Row(
                        b -> {
                            b.running();
                            b.lapse();
                        },
                        "watch",
                        SingletonUnderTest::watch,
                        "delayed"),
                new Row(
                        SingletonUnderTest::due,
                        "reclaim",
                        b -> b.store.reclaim(
                                JOB, BOB, b.claimed(BOB, nonceOf(BOB)).fence(), b.watchRequest()),
                        "ready"),
                new Row(SingletonUnderTest::running, "delete in a run", b -> b.store.delete(JOB, UID), "cancel"),
                new Row(SingletonUnderTest::delayed, "delete", b -> b.store.delete(JOB, UID), "deleted"));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void theStepWakesThoseWhoWait(Row row) {
        row.given().accept(job);
        job.call("PUBLISH", job.keys.jobWake(JOB), "so far");
        await().until(() -> heard.contains("so far"));
        heard.clear();

        row.step().accept(job);

        await().untilAsserted(() -> assertThat(heard).containsExactly(row.message()));
    }
}
