package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonScripts.CLAIM;
import static dev.soloist.coordination.singleton.SingletonScripts.DELETE;
import static dev.soloist.coordination.singleton.SingletonScripts.FINISH;
import static dev.soloist.coordination.singleton.SingletonScripts.PROMOTE;
import static dev.soloist.coordination.singleton.SingletonScripts.RECLAIM;
import static dev.soloist.coordination.singleton.SingletonScripts.RELEASE;
import static dev.soloist.coordination.singleton.SingletonScripts.RENEW;
import static dev.soloist.coordination.singleton.SingletonScripts.RESUME;
import static dev.soloist.coordination.singleton.SingletonScripts.SEED;
import static dev.soloist.coordination.singleton.SingletonScripts.SUSPEND;
import static dev.soloist.coordination.singleton.SingletonScripts.TERM;
import static dev.soloist.coordination.singleton.SingletonScripts.TRIGGER_NOW;
import static dev.soloist.coordination.singleton.SingletonScripts.UPDATE_SPEC;
import static dev.soloist.coordination.singleton.SingletonScripts.WATCH;
import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step is done, its answer lost, and the step sent again: it counts once. */
class LostReplyIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Instant LATER = Instant.ofEpochMilli(4_000_000_000_000L);

    private SingletonUnderTest job;
    private FaultyLink proxy;
    private RedisLink link;
    private SingletonStore broken;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS.link());
        // A server that knows the scripts, so that the answer that is lost is that of the step and not NOSCRIPT.
        List.of(CLAIM, DELETE, FINISH, PROMOTE, RECLAIM, RELEASE, RENEW, RESUME, SEED, SUSPEND, TERM, TRIGGER_NOW)
                .forEach(this::load);
        List.of(UPDATE_SPEC, WATCH).forEach(this::load);
        proxy = new FaultyLink(REDIS.port());
        link = RedisProcess.connected(RedisLink.open(RedisSettings.of(proxy.address(), Credentials.NONE, "broken")));
        broken = new SingletonStore(new ScriptRunner(link), job.keys);
    }

    @AfterEach
    void close() {
        link.close();
        proxy.close();
        job.close();
    }

    private void load(LuaScript script) {
        job.link.call("SCRIPT", "LOAD", script.text());
    }

    private void lost(Runnable step) {
        int before = proxy.droppedReplies();
        proxy.dropReplies();
        assertThatThrownBy(step::run).isInstanceOf(RedisUnavailable.class);
        assertThat(proxy.droppedReplies()).isGreaterThan(before);
        proxy.heal();
        await().until(link::isConnected);
    }

    record Step(String name, Consumer<SingletonUnderTest> given, Consumer<SingletonStore> step) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Step> steps() {
        return Stream.of(
                new Step("seed", b -> {}, s -> s.seed(JOB, UID, 1, "m", LATER, false, SPEC)),
                new Step("term", SingletonUnderTest::delayed, s -> s.raiseTerm(JOB, 7)),
                new Step("promote", SingletonUnderTest::due, s -> s.promote(JOB)),
                new Step("release", SingletonUnderTest::running, s -> s.release(JOB, ALICE, nonceOf(ALICE))),
                new Step("give up", SingletonUnderTest::ready, s -> s.release(JOB, ALICE, nonceOf(ALICE))),
                new Step("trigger", SingletonUnderTest::delayed, s -> s.triggerNow(JOB, false, "one")),
                new Step("trigger in a run", SingletonUnderTest::running, s -> s.triggerNow(JOB, false, "one")),
                new Step(
                        "update",
                        SingletonUnderTest::delayed,
                        s -> s.updateSpec(JOB, new SpecRevision("2", "every 2h"), LATER)),
                new Step(
                        "update in a run",
                        SingletonUnderTest::running,
                        s -> s.updateSpec(JOB, new SpecRevision("2", "every 2h"), LATER)),
                new Step("suspend", SingletonUnderTest::ready, s -> s.suspend(JOB)),
                new Step("resume", SingletonUnderTest::paused, s -> s.resume(JOB, LATER)),
                new Step("delete", SingletonUnderTest::delayed, s -> s.delete(JOB, UID)),
                new Step("delete in a run", SingletonUnderTest::running, s -> s.delete(JOB, UID)));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aStepOfTheOperatorCountsOnce(Step step) {
        step.given().accept(job);
        lost(() -> step.step().accept(broken));
        Map<String, Object> once = job.everything();

        step.step().accept(broken);

        assertThat(job.everything()).isEqualTo(once);
    }

    @Test
    void l06_aClaimSentAgainGetsTheSameFenceAndTheRunStartsOnce() {
        job.ready();
        ClaimRequest request = job.request(ALICE, nonceOf(ALICE), TTL);
        lost(() -> broken.claim(JOB, request));
        Fence granted = job.store.snapshot(JOB).current().fence();

        Claim answer = broken.claim(JOB, request);

        assertThat(answer).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.grant().repeated()).isTrue();
            assertThat(claimed.grant().fence()).isEqualTo(granted);
            assertThat(claimed.grant().attempt()).isEqualTo(1);
        });
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void l06_aClaimGivenUpAfterALostAnswerIsFreeAtOnce() {
        job.ready();
        ClaimRequest request = job.request(ALICE, nonceOf(ALICE), TTL);
        lost(() -> broken.claim(JOB, request));

        broken.release(JOB, ALICE, nonceOf(ALICE));

        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.Claimed.class);
        assertThat(broken.claim(JOB, request)).isInstanceOf(Claim.Spent.class);
    }

    @Test
    void l07_aBrokenConnectionIsNeverAGrant() {
        job.running();
        for (int i = 0; i < 10; i++) {
            ClaimRequest request = job.request(BOB, nonceOf(BOB), TTL);
            lost(() -> broken.claim(JOB, request));
            assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        }
        assertThat(job.store.snapshot(JOB).current().owner()).isEqualTo(ALICE);
    }

    @Test
    void aRenewalSentAgainSetsTheLeaseAnew() {
        job.running();
        lost(() -> broken.renew(JOB, ALICE, nonceOf(ALICE), TTL));

        assertThat(broken.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isEqualTo(new Renewal.Renewed(TTL, false));
    }

    @Test
    void aResultSentAgainIsKnown() {
        Grant grant = job.running();
        FinishRequest request = job.success();
        lost(() -> broken.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), request));
        Map<String, Object> once = job.everything();

        assertThat(broken.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), request))
                .isInstanceOf(Finishing.Repeated.class);
        assertThat(job.everything()).isEqualTo(once);
    }

    @Test
    void aResultSentAgainAfterAFurtherRunIsHarmless() {
        Grant grant = job.running();
        FinishRequest request = SingletonUnderTest.done(RunResult.SUCCEEDED, job.now(), false);
        lost(() -> broken.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), request));
        Grant second = job.claimed(BOB, nonceOf(BOB));

        assertThat(broken.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), request))
                .isInstanceOf(Finishing.Repeated.class);
        job.finish(BOB, second.fence(), request);
        assertThat(broken.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), request))
                .isInstanceOf(Finishing.Late.class);
        assertThat(job.store.snapshot(JOB).runs()).isEqualTo(2);
    }

    @Test
    void aWatchOrReclaimSentAgainFindsItsWorkDone() {
        job.running();
        job.lapse();
        WatchRequest request = job.watchRequest();
        lost(() -> broken.watch(JOB, request));
        assertThat(broken.watch(JOB, request).verdict()).isEqualTo(WatchVerdict.OK);
        assertThat(job.store.snapshot(JOB).misses()).isEqualTo(1);

        job.link.call("HSET", job.keys.record(JOB), "due", "0");
        Grant grant = job.claimed(BOB, nonceOf(BOB));
        lost(() -> broken.reclaim(JOB, BOB, grant.fence(), request));
        assertThat(broken.reclaim(JOB, BOB, grant.fence(), request)).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(job.store.snapshot(JOB).misses()).isEqualTo(2);
    }
}
