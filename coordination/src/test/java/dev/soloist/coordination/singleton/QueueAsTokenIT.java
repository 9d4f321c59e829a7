package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The ready list holds a token, the generation of the slot. It wakes somebody up and grants nothing: whatever becomes of it, a slot
 * is run once, and only a watchdog's verdict puts it back.
 */
class QueueAsTokenIT {

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
    }

    @AfterEach
    void close() {
        job.close();
    }

    /** How many of eight instances that claim at once get the slot. */
    private long granted() throws Exception {
        return all(i -> job.claim(instance(i), nonceOf(instance(i)))).stream()
                .filter(Claim.Claimed.class::isInstance)
                .count();
    }

    private static InstanceId instance(int i) {
        return new InstanceId("uid" + i + "-aaaaaa");
    }

    private static <T> List<T> all(IntFunction<T> step) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = IntStream.range(0, 8)
                    .mapToObj(i -> (Callable<T>) () -> step.apply(i))
                    .toList();
            return threads.invokeAll(calls).stream()
                    .map(done -> done.resultNow())
                    .toList();
        }
    }

    @Test
    void aDoubledTokenMakesNoSecondRun() throws Exception {
        job.ready();
        job.call("RPUSH", job.keys.ready(JOB), "1", "1", "1");

        assertThat(granted()).isEqualTo(1);
        assertThat(job.readyTokens()).isEmpty();

        var run = job.store.snapshot(JOB).current();
        job.store.finish(JOB, run.owner(), nonceOf(run.owner()), run.fence(), job.success());
        assertThat(granted()).isZero();
    }

    @Test
    void aTokenThatComesBackDuringARunMakesNoSecondRun() throws Exception {
        job.running();
        job.call("RPUSH", job.keys.ready(JOB), "1");
        job.call("ZADD", job.keys.delayed(JOB), "1", "1");

        assertThat(job.store.promote(JOB)).isFalse();
        assertThat(granted()).isZero();
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void aStaleTokenOfAnEarlierSlotMakesNoRun() throws Exception {
        Grant grant = job.running();
        job.finish(ALICE, grant.fence(), job.success());
        job.call("RPUSH", job.keys.ready(JOB), "1");

        assertThat(granted()).isZero();

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.LOST_TOKEN);
        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.delayedTokens()).hasSize(2).startsWith("2");
        assertThat(granted()).isZero();
    }

    @Test
    void aLostTokenIsNoLostRun() throws Exception {
        job.ready();
        job.call("DEL", job.keys.ready(JOB));

        assertThat(granted()).isEqualTo(1);
    }

    @Test
    void onlyTheVerdictOfAWatchdogPutsALostTokenBackAndHoweverManyLookItIsOne() throws Exception {
        job.ready();
        job.call("DEL", job.keys.ready(JOB));

        job.store.seed(JOB, UID, 1, "mark-1", job.now(), true, SPEC);
        job.store.promote(JOB);
        job.store.updateSpec(JOB, SPEC, job.now());
        job.store.resume(JOB, job.now());
        assertThat(job.readyTokens()).isEmpty();

        var verdicts = all(_ -> job.watch().verdict());

        assertThat(verdicts).containsOnlyOnce(WatchVerdict.LOST_TOKEN);
        assertThat(job.readyTokens()).containsExactly("1");
        assertThat(granted()).isEqualTo(1);
    }

    @Test
    void noTokenIsPutBackForARunThatGoesOn() {
        job.running();

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);

        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.delayedTokens()).isEmpty();
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
    }
}
