package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Collections;
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

/** A script that fails half-way is not rolled back, so it must fail before its first write. */
class BadInputIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private SingletonBench bench;

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    static Stream<LuaScript> scripts() {
        return Stream.of(
                SingletonScripts.SEED,
                SingletonScripts.TERM,
                SingletonScripts.CLAIM,
                SingletonScripts.RENEW,
                SingletonScripts.FINISH,
                SingletonScripts.RELEASE,
                SingletonScripts.WATCH,
                SingletonScripts.RECLAIM,
                SingletonScripts.TRIGGER_NOW,
                SingletonScripts.UPDATE_SPEC,
                SingletonScripts.RESUME,
                SingletonScripts.DELETE,
                SingletonScripts.SNAPSHOT);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void argumentsThatAreEmptyChangeNothing(LuaScript script) {
        bench.running();
        Map<String, Object> before = bench.everything();
        List<String> keys = Stream.of(
                        bench.keys.record(JOB),
                        bench.keys.ready(JOB),
                        bench.keys.delayed(JOB),
                        bench.keys.lock(JOB),
                        bench.keys.history(JOB),
                        bench.keys.mark(JOB))
                .limit(script.keys())
                .toList();

        assertThatThrownBy(() ->
                        new ScriptRunner(bench.link).run(script, keys, Collections.nCopies(script.arguments(), "")))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining("SOLOIST_ARGS");
        assertThat(bench.everything()).isEqualTo(before);
    }

    static Stream<Consumer<SingletonStore>> steps() {
        return Stream.of(
                s -> s.promote(JOB),
                s -> s.raiseTerm(JOB, 2),
                s -> s.suspend(JOB),
                s -> s.delete(JOB, UID),
                s -> s.triggerNow(JOB, true),
                s -> s.release(JOB, ALICE, nonceOf(ALICE)),
                s -> s.renew(JOB, ALICE, nonceOf(ALICE), TTL),
                s -> s.snapshot(JOB));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aRecordOfAWrongTypeStopsEveryStepBeforeItWrites(Consumer<SingletonStore> step) {
        bench.link.call("SET", bench.keys.record(JOB), "wrong type");
        bench.link.call("RPUSH", bench.keys.ready(JOB), "1");

        assertThatThrownBy(() -> step.accept(bench.store))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(bench.number("DBSIZE")).isEqualTo(2);
        assertThat(bench.readyTokens()).containsExactly("1");
    }

    @Test
    void theWatchdogReportsARecordOfAWrongType() {
        bench.link.call("SET", bench.keys.record(JOB), "wrong type");

        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);
    }

    @Test
    void textsOfUsersAreStoredAsTheyAre() {
        String hostile = "}|'\"\\\n\u0000{x} \uD83D\uDE00";
        bench.store.seed(JOB, UID, 1, "m", bench.now(), false, new SpecRevision(hostile, hostile));
        Grant grant = ((Claim.Claimed) bench.store.claim(
                        JOB,
                        new ClaimRequest(
                                1,
                                ALICE,
                                hostile,
                                nonceOf(ALICE),
                                TTL,
                                bench.now().plusSeconds(2))))
                .grant();
        bench.store.finish(
                JOB,
                ALICE,
                nonceOf(ALICE),
                grant.fence(),
                new FinishRequest(
                        RunResult.FAILED, hostile, bench.now(), false, ReleasePolicy.ON_COMPLETION, Duration.ZERO));

        SingletonSnapshot job = bench.store.snapshot(JOB, 1);
        assertThat(job.spec()).isEqualTo(new SpecRevision(hostile, hostile)).isNotEqualTo(SPEC);
        assertThat(job.last().pod()).isEqualTo(hostile);
        assertThat(job.history().getFirst().message()).isEqualTo(hostile);
    }
}
