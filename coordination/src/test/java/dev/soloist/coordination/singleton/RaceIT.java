package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
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
    static final RedisProcess REDIS = new RedisProcess();

    private SingletonBench bench;
    private final List<RedisLink> links = new ArrayList<>();

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
        for (int i = 0; i < RACERS; i++) {
            links.add(REDIS.link());
        }
    }

    @AfterEach
    void close() {
        links.forEach(RedisLink::close);
        bench.close();
    }

    /** Runs the steps at once and returns what each answered. */
    private <T> List<T> race(List<Function<SingletonStore, T>> steps) throws Exception {
        var start = new CyclicBarrier(steps.size());
        List<Callable<T>> racers = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Function<SingletonStore, T> step = steps.get(i);
            var store = new SingletonStore(new ScriptRunner(links.get(i)), bench.keys);
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
        bench.due();
        List<Function<SingletonStore, Claim>> claims = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            ClaimRequest request = bench.request(InstanceId.create("pod-" + i), Nonce.create(), SingletonBench.TTL);
            claims.add(store -> store.claim(JOB, request));
        }

        List<Claim> answers = race(claims);

        assertThat(answers).filteredOn(Claim.Claimed.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Claim.NotDue.class::isInstance).hasSize(RACERS - 1);
    }

    @RepeatedTest(10)
    void l09_aSlotThatEndsInAMomentRunsOnceThoughAllClaimItAgainAndAgain() throws Exception {
        bench.due();
        Instant next = bench.now().plusSeconds(60);
        List<Function<SingletonStore, Integer>> pods = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            InstanceId instance = InstanceId.create("pod-" + i);
            pods.add(store -> {
                int runs = 0;
                for (int tries = 0; tries < 30; tries++) {
                    Nonce nonce = Nonce.create();
                    Claim claim = store.claim(JOB, bench.request(instance, nonce, SingletonBench.TTL));
                    if (claim instanceof Claim.Claimed(Grant grant)) {
                        FinishRequest end = SingletonBench.done(RunResult.SUCCEEDED, next, false);
                        store.finish(JOB, instance, nonce, grant.fence(), end);
                        runs++;
                    }
                }
                return runs;
            });
        }

        assertThat(race(pods).stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
        assertThat(bench.store.snapshot(JOB).runs()).isEqualTo(1);
    }

    @RepeatedTest(10)
    void ofTwoWatchdogsOneEndsTheSilentRun() throws Exception {
        bench.running();
        bench.lapse();
        WatchRequest request = bench.watchRequest();

        List<Watch> answers = race(List.of(s -> s.watch(JOB, request), s -> s.watch(JOB, request)));

        assertThat(answers)
                .extracting(Watch::verdict)
                .containsExactlyInAnyOrder(WatchVerdict.ABANDONED, WatchVerdict.OK);
        assertThat(bench.store.snapshot(JOB).misses()).isEqualTo(1);
        assertThat(bench.store.history(JOB)).hasSize(1);
    }

    @RepeatedTest(10)
    void theOwnersResultAndTheWatchdogsVerdictExcludeEachOther() throws Exception {
        Grant grant = bench.running();
        bench.lapse();
        WatchRequest request = bench.watchRequest();
        FinishRequest success = bench.success();

        List<Object> answers = race(List.of(
                s -> s.watch(JOB, request).verdict(),
                s -> s.finish(JOB, ALICE, nonceOf(ALICE), grant.fence(), success),
                s -> s.watch(JOB, request).verdict()));

        boolean abandoned = answers.contains(WatchVerdict.ABANDONED);
        assertThat(answers.get(1)).isInstanceOf(abandoned ? Finishing.Late.class : Finishing.Finished.class);
        assertThat(bench.store.snapshot(JOB).runs()).isEqualTo(1);
        assertThat(bench.store.snapshot(JOB).generation()).isEqualTo(2);
    }

    @RepeatedTest(10)
    void aReclaimerAndAWatchdogAndTheOwnersReleaseMakeOneReadySlot() throws Exception {
        Grant grant = bench.running();
        bench.lapse();
        WatchRequest request = bench.watchRequest();

        race(List.<Function<SingletonStore, Object>>of(
                s -> s.watch(JOB, request),
                s -> s.reclaim(JOB, ALICE, grant.fence(), request),
                s -> s.release(JOB, ALICE, nonceOf(ALICE))));

        assertThat(bench.readyTokens().size() + bench.delayedTokens().size() / 2)
                .isEqualTo(1);
        assertThat(bench.store.history(JOB)).hasSize(1);
    }

    @RepeatedTest(10)
    void aDeletionDuringAClaimLeavesEitherATombstoneOrARunThatIsCancelled() throws Exception {
        bench.due();
        ClaimRequest request = bench.request(BOB, nonceOf(BOB), SingletonBench.TTL);

        List<Object> answers = race(List.of(s -> s.claim(JOB, request), s -> s.delete(JOB, SingletonBench.UID)));

        if (answers.get(0) instanceof Claim.Claimed) {
            assertThat(answers.get(1)).isInstanceOf(Deletion.AfterRun.class);
            assertThat(bench.store.renew(JOB, BOB, nonceOf(BOB), SingletonBench.TTL))
                    .isEqualTo(new Renewal.Renewed(SingletonBench.TTL, true));
        } else {
            assertThat(answers.get(1)).isInstanceOf(Deletion.Deleted.class);
            assertThat(bench.lock()).isEmpty();
        }
    }
}
