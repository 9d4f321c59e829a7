package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.CasMode;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Instant;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A step of several commands, whose connection breaks before or after each of them: sent again, it counts once. Before
 * the write nothing was done; after it, everything but the hint.
 */
@CasMode
class CasLostReplyIT {

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private static final Instant LATER = Instant.ofEpochMilli(4_000_000_000_000L);
    private static final int MOST_COMMANDS = 6;

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
    }

    @AfterEach
    void close() {
        job.close();
    }

    record Step(String name, Consumer<SingletonUnderTest> given, BiConsumer<SingletonUnderTest, Fence> step) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Step> steps() {
        return Stream.of(
                new Step("seed", b -> {}, (b, f) -> b.store.seed(JOB, UID, 1, "m", LATER, false, SPEC)),
                new Step("term", SingletonUnderTest::delayed, (b, f) -> b.store.raiseTerm(JOB, 7)),
                new Step("promote", SingletonUnderTest::due, (b, f) -> b.store.promote(JOB)),
                new Step(
                        "claim",
                        SingletonUnderTest::ready,
                        (b, f) -> b.store.claim(
                                JOB,
                                new ClaimRequest(
                                        1,
                                        ALICE,
                                        "pod",
                                        nonceOf(ALICE),
                                        TTL,
                                        b.now().plusSeconds(30)))),
                new Step(
                        "renew", SingletonUnderTest::running, (b, f) -> b.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)),
                new Step("finish", SingletonUnderTest::running, (b, f) -> b.finish(ALICE, f, b.success())),
                new Step("release", SingletonUnderTest::running, (b, f) -> b.store.release(JOB, ALICE, nonceOf(ALICE))),
                new Step("give up", SingletonUnderTest::ready, (b, f) -> b.store.release(JOB, ALICE, nonceOf(ALICE))),
                new Step("watch", CasLostReplyIT::lapsed, (b, f) -> b.watch()),
                new Step(
                        "reclaim",
                        SingletonUnderTest::running,
                        (b, f) -> b.store.reclaim(JOB, ALICE, f, b.watchRequest())),
                new Step("trigger", SingletonUnderTest::delayed, (b, f) -> b.store.triggerNow(JOB, false, "one")),
                new Step(
                        "trigger in a run",
                        SingletonUnderTest::running,
                        (b, f) -> b.store.triggerNow(JOB, false, "one")),
                new Step(
                        "update",
                        SingletonUnderTest::delayed,
                        (b, f) -> b.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), LATER)),
                new Step("suspend", SingletonUnderTest::ready, (b, f) -> b.store.suspend(JOB)),
                new Step("resume", SingletonUnderTest::paused, (b, f) -> b.store.resume(JOB, LATER)),
                new Step("delete", SingletonUnderTest::delayed, (b, f) -> b.store.delete(JOB, UID)),
                new Step("delete in a run", SingletonUnderTest::running, (b, f) -> b.store.delete(JOB, UID)));
    }

    private static void lapsed(SingletonUnderTest job) {
        job.running();
        job.lapse();
    }

    /** Of the run that the step is about, if there is one. */
    private Fence fence() {
        CurrentRun run = job.store.snapshot(JOB).current();
        return run == null ? new Fence(0, 0) : run.fence();
    }

    @ParameterizedTest
    @MethodSource("steps")
    void l06_l07_aStepThatIsBrokenAtAnyOfItsCommandsCountsOnce(Step step) {
        step.given().accept(job);
        Fence fence = fence();
        Map<String, Object> given = job.everything();
        boolean done = false;
        for (int command = 1; command <= MOST_COMMANDS; command++) {
            for (boolean after : new boolean[] {false, true}) {
                Map<String, Object> before = job.everything();
                if (after) {
                    REDIS.pika().breakAfter(command);
                } else {
                    REDIS.pika().breakBefore(command);
                }
                try {
                    step.step().accept(job, fence);
                } catch (RedisUnavailable e) {
                    assertThat(done || before.equals(given)).isTrue();
                }
                REDIS.pika().heal();
                await().until(job.link::isConnected);
                done = done || !job.everything().equals(given);
            }
        }
        assertThat(done).as("it was done at last").isTrue();
        SingletonSnapshot seen = job.store.snapshot(JOB);
        assertThat(seen.runs()).isLessThanOrEqualTo(1);
        assertThat(seen.misses()).isLessThanOrEqualTo(1);
        assertThat(seen.attempt()).isLessThanOrEqualTo(1);
        assertThat(job.number("LLEN", job.keys.history(JOB))).isLessThanOrEqualTo(1);
        assertThat(job.readyTokens().size() + job.delayedTokens().size() / 2).isLessThanOrEqualTo(1);
        assertThat(seen.generation()).isLessThanOrEqualTo(2);
    }
}
