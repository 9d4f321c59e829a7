package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.testkit.ServerUnderTest;
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
                SingletonScripts.MOVE_AWAY,
                SingletonScripts.FORGET,
                SingletonScripts.SNAPSHOT);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void argumentsThatAreEmptyChangeNothing(LuaScript script) {
        job.running();
        Map<String, Object> before = job.everything();
        List<String> keys = Stream.of(
                        job.keys.record(JOB),
                        job.keys.ready(JOB),
                        job.keys.delayed(JOB),
                        job.keys.lock(JOB),
                        job.keys.history(JOB),
                        job.keys.mark(JOB),
                        job.keys.log(JOB))
                .limit(script.keys())
                .toList();

        var nothing = Collections.nCopies(script.arguments() == LuaScript.ANY ? 10 : script.arguments(), "");

        assertThatThrownBy(() -> REDIS.scripts(job.link).run(script, keys, nothing))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining("SOLOIST_ARGS");
        assertThat(job.everything()).isEqualTo(before);
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
        job.call("SET", job.keys.record(JOB), "wrong type");
        job.call("RPUSH", job.keys.ready(JOB), "1");

        assertThatThrownBy(() -> step.accept(job.store))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(job.number("DBSIZE")).isEqualTo(2);
        assertThat(job.readyTokens()).containsExactly("1");
    }

    @Test
    void theWatchdogReportsARecordOfAWrongType() {
        job.call("SET", job.keys.record(JOB), "wrong type");

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);
    }

    @Test
    void textsOfUsersAreStoredAsTheyAre() {
        String hostile = "}|'\"\\\n\u0000{x} \uD83D\uDE00";
        job.store.seed(JOB, UID, 1, "m", job.now(), false, new SpecRevision(hostile, hostile));
        Grant grant = ((Claim.Claimed) job.store.claim(
                        JOB,
                        new ClaimRequest(
                                1,
                                ALICE,
                                hostile,
                                nonceOf(ALICE),
                                TTL,
                                job.now().plusSeconds(2))))
                .grant();
        job.store.finish(
                JOB,
                ALICE,
                nonceOf(ALICE),
                grant.fence(),
                new FinishRequest(
                        RunResult.FAILED, hostile, job.now(), false, ReleasePolicy.ON_COMPLETION, Duration.ZERO));

        SingletonSnapshot seen = job.store.snapshot(JOB, 1);
        assertThat(seen.spec()).isEqualTo(new SpecRevision(hostile, hostile)).isNotEqualTo(SPEC);
        assertThat(seen.last().pod()).isEqualTo(hostile);
        assertThat(seen.history().getFirst().message()).isEqualTo(hostile);
    }
}
