package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two or more do the same at the same moment, each over a connection of its own. */
class RaceIT {

    private static final int RACERS = 4;

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private SingletonUnderTest job;
    private final List<RedisLink> links = new ArrayList<>();

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
        for (int i = 0; i < RACERS; i++) {
            links.add(REDIS.link());
        }
    }

    @AfterEach
    void close() {
        links.forEach(RedisLink::close);
        job.close();
    }

    /** Runs the steps at once and returns what each answered. */
    private <T> List<T> race(List<Function<SingletonStore, T>> steps) throws Exception {
        var start = new CyclicBarrier(steps.size());
        List<Callable<T>> racers = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Function<SingletonStore, T> step = steps.get(i);
            var store = new SingletonStore(REDIS.scripts(links.get(i)), job.keys, REDIS.backend());
            racers.add(() -> {
                start.await();
                return step.apply(store);
            });
        }
        List<T> answers = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> answer : pool.invokeAll(racers)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }

    @RepeatedTest(10)
    void ofManyClaimersOneHoldsTheLease() throws Exception {
        job.due();
        List<Function<SingletonStore, Claim>> claims = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            ClaimRequest request = job.request(InstanceId.create("pod-" + i), Nonce.create(), SingletonUnderTest.TTL);
            claims.add(store -> store.claim(JOB, request));
        }

        List<Claim> answers = race(claims);

        assertThat(answers).filteredOn(Claim.Claimed.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Claim.NotDue.class::isInstance).hasSize(RACERS - 1);
    }

    @RepeatedTest(10)
    void l09_aSlotThatEndsInAMomentRunsOnceThoughAllClaimItAgainAndAgain() throws Exception {
        job.due();
        Instant next = job.now().plusSeconds(60);
        List<Function<SingletonStore, Integer>> pods = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            InstanceId instance = InstanceId.create("pod-" + i);
            pods.add(store -> {
                int runs = 0;
                for (int tries = 0; tries < 30; tries++) {
                    Nonce nonce = Nonce.create();
                    Claim claim = store.claim(JOB, job.request(instance, nonce, SingletonUnderTest.TTL));
                    if (claim instanceof Claim.Claimed(Grant grant)) {
                        FinishRequest end = SingletonUnderTest.done(RunResult.SUCCEEDED, next, false);
                        store.finish(JOB, instance, nonce, grant.fence(), end);
                        runs++;
                    }
                }
                return runs;
            });
        }

        assertThat(race(pods).stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
        assertThat(job.store.snapshot(JOB).runs()).isEqualTo(1);
    }

    @RepeatedTest(10)
    void ofTwoWatchdogsOneEndsTheSilentRun() throws Exception {
        job.running();
        job.lapse();
        WatchRequest request = job.watchRequest();

        List<Watch> answers = race(List.of(s -> s.watch(JOB, request), s -> s.watch(JOB, request)));

        assertThat(answers)
                .extracting(Watch::verdict)
                .containsExactlyInAnyOrder(WatchVerdict.ABANDONED, WatchVerdict.OK);
        assertThat(job.store.snapshot(JOB).misses()).isEqualTo(1);
        assertThat(job.store.history(JOB)).hasSize(1);
    }

    @RepeatedTest(10)
    void theOwnersResultAndTheWatchdogsVerdictExcludeEachOther() throws Exception {
        Grant grant = job.running();
        job.lapse();
        WatchRequest request = job.watchRequest();
        FinishRequest success = job.success();

        List<Object> answers = race(List.of(
                s -> s.watch(JOB, request).verdict(),
                s -> s.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), success),
                s -> s.watch(JOB, request).verdict()));

        boolean abandoned = answers.contains(WatchVerdict.ABANDONED);
        assertThat(answers.get(1)).isInstanceOf(abandoned ? Finishing.Late.class : Finishing.Finished.class);
        assertThat(job.store.snapshot(JOB).runs()).isEqualTo(1);
        assertThat(job.store.snapshot(JOB).generation()).isEqualTo(2);
    }

    @RepeatedTest(10)
    void aReclaimerAndAWatchdogAndTheOwnersReleaseMakeOneReadySlot() throws Exception {
        Grant grant = job.running();
        job.lapse();
        WatchRequest request = job.watchRequest();

        race(List.<Function<SingletonStore, Object>>of(
                s -> s.watch(JOB, request),
                s -> s.reclaim(JOB, ALICE, grant.fence(), request),
                s -> s.release(JOB, ALICE, nonceOf(ALICE))));

        assertThat(job.readyTokens().size() + job.delayedTokens().size() / 2).isEqualTo(1);
        assertThat(job.store.history(JOB)).hasSize(1);
    }

    @RepeatedTest(10)
    void aDeletionDuringAClaimLeavesEitherATombstoneOrARunThatIsCancelled() throws Exception {
        job.due();
        ClaimRequest request = job.request(BOB, nonceOf(BOB), SingletonUnderTest.TTL);

        List<Object> answers = race(List.of(s -> s.claim(JOB, request), s -> s.delete(JOB, SingletonUnderTest.UID)));

        if (answers.get(0) instanceof Claim.Claimed) {
            assertThat(answers.get(1)).isInstanceOf(Deletion.AfterRun.class);
            assertThat(job.store.renew(JOB, BOB, nonceOf(BOB), SingletonUnderTest.TTL))
                    .isEqualTo(new Renewal.Renewed(SingletonUnderTest.TTL, true));
        } else {
            assertThat(answers.get(1)).isInstanceOf(Deletion.Deleted.class);
            assertThat(job.lock()).isEmpty();
        }
    }
}
