package dev.soloist.coordination.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random calls of every script with random arguments, good and bad, on a real server and on the engine without scripts:
 * the same answers, and the same keys after each.
 */
class DifferentialIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final int CALLS = 2_500;
    private static final int FEWER_CALLS = 1_000;

    /** Chance may need many times as many calls until each answer was seen that is asked for. */
    private static final int MOST_CALLS = 50_000;

    private static final Set<String> EACH = Set.of(
            "seed.lua SEEDED",
            "claim.lua OK",
            "claim.lua BUSY",
            "renew.lua OK",
            "finish.lua OK",
            "release.lua RELEASED",
            "reclaim.lua RECLAIMED",
            "watch.lua ABANDONED",
            "watch.lua PROMOTED",
            "snapshot.lua OK");

    /** After so many calls both sides begin anew, for some states are never left. */
    private static final int EPISODE = 60;

    private static final JobId JOB = new JobId("shop", "nightly");
    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);
    private static final List<String> INSTANCES = List.of("pod-a-aaaaaa", "pod-a-bbbbbb", "pod-b-aaaaaa");
    private static final List<String> JUNK = List.of(
            "",
            "x",
            "0",
            "1",
            "-1",
            "5 ",
            "1e3",
            "0x10",
            "1.5",
            "9007199254740993",
            "\u00c3\u00a4\u00ff\u0000|",
            "}{:",
            "nil",
            "\u00e4".repeat(600),
            "a/\"\\\n\t");

    /** As a time to live, these end between the two calls, or before what they left is compared. */
    private static final Set<String> SHORT = Set.of("1", "5 ", "1e3", "0x10", "1.5");

    /** Long enough that nothing ends by itself while the two are compared. */
    private final Supplier<String> span = () -> one("600000", "3600000").get();

    private final long seed = Long.getLong("soloist.seed", System.nanoTime());
    private final Random dice = new Random(seed);
    private final Set<String> seen = new TreeSet<>();
    private RedisLink server;
    private RedisLink pika;
    private Twins twins;

    @BeforeEach
    void open() {
        System.out.println("seed " + seed);
        server = REDIS.link();
        pika = PIKA.link();
        twins = new Twins(server, pika);
    }

    @AfterEach
    void close() {
        server.close();
        pika.close();
    }

    /** A script with the keys and the kinds of arguments that it takes. */
    record Call(LuaScript script, boolean ordered, List<String> keys, List<Supplier<String>> arguments) {

        /** As often as that many others. */
        List<Call> times(int weight) {
            return Collections.nCopies(weight, this);
        }
    }

    @Test
    void singletonScriptsAnswerAndWriteAsOnAServer() {
        List<String> all = List.of(
                KEYS.record(JOB),
                KEYS.ready(JOB),
                KEYS.delayed(JOB),
                KEYS.lock(JOB),
                KEYS.history(JOB),
                KEYS.mark(JOB));
        List<String> ended = new ArrayList<>(all);
        ended.add(KEYS.log(JOB));
        List<String> tokens = all.subList(0, 3);
        String wake = KEYS.jobWake(JOB);
        List<List<Call>> calls = List.of(
                call(
                                "seed",
                                all,
                                one("uid-1", "uid-2"),
                                this::term,
                                one("m1", "m2"),
                                this::due,
                                one("0", "0", "1"),
                                one("r1", "r2"),
                                one("every 1h", "every 2h"),
                                () -> wake,
                                one("0"),
                                one("0"))
                        .times(6),
                call(
                                "seed",
                                all,
                                one("uid-1", "uid-2"),
                                this::term,
                                one("m1", "m2"),
                                this::due,
                                one("0"),
                                one("r1"),
                                one("every 1h"),
                                () -> wake,
                                one("3"),
                                one("1"),
                                one("gen"),
                                one("5", "900"),
                                one("moved"),
                                one("DELAYED", "PAUSED"),
                                one("cool"),
                                this::due,
                                one("{\"gen\":1}"))
                        .times(2),
                call("move_away", all, one("uid-1", "uid-2"), () -> wake).times(1),
                call(
                                "forget",
                                List.of(all.get(0), all.get(4), KEYS.log(JOB)),
                                one("uid-1", "uid-2"),
                                () -> field("gen"))
                        .times(1),
                call("term", all.subList(0, 1), this::term).times(1),
                call("promote", tokens, () -> wake).times(2),
                call("claim", all.subList(0, 4), this::term, this::instance, one("pod"), this::nonce, span, this::later)
                        .times(12),
                call("renew", List.of(all.get(0), all.get(3)), () -> field("owner"), () -> field("nonce"), span)
                        .times(4),
                call(
                                "finish",
                                ended,
                                () -> field("owner"),
                                () -> field("nonce"),
                                () -> field("rterm"),
                                () -> field("fence"),
                                one("SUCCEEDED", "FAILED", "INTERRUPTED"),
                                this::junk,
                                this::due,
                                one("0", "1"),
                                one("NONE", "NEXT", "FOR"),
                                span,
                                () -> wake,
                                this::logLength,
                                one("0", "500"))
                        .times(8),
                call(
                                "release",
                                ended,
                                () -> field("owner"),
                                () -> field("nonce"),
                                () -> wake,
                                one("RUN", "INTERRUPTED", "UNACKNOWLEDGED"),
                                this::logLength)
                        .times(3),
                call(
                                "watch",
                                ended,
                                one("0", "10"),
                                one("RETRY", "SKIP"),
                                this::due,
                                one("0", "1000"),
                                one("1000", "2500"),
                                one("60000"),
                                one("0", "3"),
                                () -> wake,
                                this::logLength,
                                one("0", "500"))
                        .times(8),
                call(
                                "reclaim",
                                ended,
                                () -> field("owner"),
                                () -> field("rterm"),
                                () -> field("fence"),
                                one("RETRY", "SKIP"),
                                this::due,
                                one("0", "3"),
                                () -> wake,
                                this::logLength,
                                one("0", "500"))
                        .times(3),
                call("trigger_now", tokens, one("0", "1"), one("q1", "q2", "q3"), () -> wake)
                        .times(2),
                call("update_spec", tokens, one("r1", "r2"), one("every 1h", "every 2h"), this::due, () -> wake)
                        .times(2),
                call("suspend", tokens).times(1),
                call("resume", tokens, this::due, () -> wake).times(2),
                call("delete", all, one("uid-1", "uid-2"), () -> wake).times(1),
                call("snapshot", List.of(all.get(0), all.get(3), all.get(4), all.get(5)), one("0", "20"))
                        .times(2));
        storm(CALLS, EACH, calls, new TreeSet<>(all), this::damageTheJob);
        assertThat(seen).as("what was reached, seed %d", seed).containsAll(EACH);
    }

    @Test
    void instanceScriptsAnswerAndWriteAsOnAServer() {
        List<String> board = List.of(KEYS.instanceLeases(JOB), KEYS.instanceMembers(JOB));
        List<String> all = List.of(board.get(0), board.get(1), KEYS.reservations(JOB));
        String wake = KEYS.queueWake(JOB);
        List<List<Call>> calls = List.of(
                instanceCall("register", false, board, this::instance, one("pod-a", "pod-b"), this::junk, span)
                        .times(4),
                instanceCall("heartbeat", true, board, this::instance, span).times(2),
                instanceCall("fence", true, board, this::instance, one("LEASE_OVER", "TERMINATED"), span, () -> wake)
                        .times(1),
                instanceCall("adopt", true, all, this::instance, this::instance, () -> wake)
                        .times(2),
                instanceCall("leave", true, board, this::instance, () -> wake).times(1),
                instanceCall("list", false, board).times(1));
        storm(FEWER_CALLS, Set.of(), calls, new TreeSet<>(all), () -> {});
    }

    @Test
    void registrationScriptsAnswerAndWriteAsOnAServer() {
        String jobs = KEYS.jobs("shop");
        String pods = KEYS.assignments("shop");
        Supplier<String> wake = () -> KEYS.registrationWake("shop");
        List<List<Call>> calls = List.of(List.of(
                registrationCall("put", List.of(jobs), one("a", "b"), this::junk, wake),
                registrationCall("put", List.of(pods), one("p1", "p2", "\u00ff"), this::junk, wake),
                registrationCall("remove", List.of(pods), one("p1", "p2", "\u00ff"), wake),
                registrationCall("remove", List.of(jobs), one("a", "b"), wake),
                registrationCall("read", List.of(pods, jobs), one("p1", "p2")),
                registrationCall("list", List.of(pods))));
        storm(FEWER_CALLS, Set.of(), calls, Set.of(jobs, pods), () -> {});
    }

    private void storm(int count, Set<String> until, List<List<Call>> weighted, Set<String> keys, Runnable damage) {
        List<Call> calls = weighted.stream().flatMap(List::stream).toList();
        boolean anew = true;
        for (int i = 0; i < count || (i < MOST_CALLS && !seen.containsAll(until)); i++) {
            if (anew || i % EPISODE == 0) {
                server.call("FLUSHALL");
                pika.call("FLUSHALL");
            }
            Call call = calls.get(dice.nextInt(calls.size()));
            List<byte[]> arguments = new ArrayList<>();
            for (Supplier<String> argument : call.arguments()) {
                String text = dice.nextInt(60) == 0 ? junk() : argument.get();
                if (argument == span && SHORT.contains(text)) {
                    text = argument.get();
                }
                arguments.add(text.getBytes(StandardCharsets.ISO_8859_1));
            }
            try {
                String status = twins.run(call.script(), call.keys(), arguments, call.ordered());
                seen.add(call.script().name().replaceFirst(".*/", "") + " " + status);
                // The server leaves behind what a script wrote before it failed; here nothing is written then.
                anew = status.equals(Twins.ERROR);
                if (!anew) {
                    twins.compare(keys);
                }
                if (dice.nextInt(12) == 0) {
                    damage.run();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed %d, call %d: %s %s"
                                .formatted(
                                        seed,
                                        i,
                                        call.script().name(),
                                        arguments.stream()
                                                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                                                .toList()),
                        e);
            }
        }
    }

    /** What a lapse, an eviction or a hand does. */
    private void damageTheJob() {
        String del = "return redis.call('DEL', KEYS[1])";
        switch (dice.nextInt(15)) {
            default -> {
                twins.tamper(KEYS.lock(JOB), del);
                String over = String.valueOf(twins.now().toEpochMilli() - 5);
                if (!field("lu").equals("0")) {
                    twins.tamper(KEYS.record(JOB), "return redis.call('HSET', KEYS[1], 'lu', ARGV[1])", over);
                }
            }
            case 1 -> twins.tamper(KEYS.record(JOB), del);
            case 2 -> twins.tamper(KEYS.ready(JOB), del);
            case 3 -> twins.tamper(KEYS.delayed(JOB), "return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])", "5", "0");
            case 4 -> twins.tamper(KEYS.lock(JOB), "return redis.call('SET', KEYS[1], ARGV[1])", "somebody");
            case 5 -> {
                twins.tamper(KEYS.history(JOB), del);
                twins.tamper(KEYS.history(JOB), "return redis.call('SET', KEYS[1], ARGV[1])", "wrong type");
            }
        }
    }

    private Call call(String name, List<String> keys, Supplier<?>... arguments) {
        return call(SingletonStore.class, name, true, keys, arguments);
    }

    private Call instanceCall(String name, boolean ordered, List<String> keys, Supplier<?>... arguments) {
        return call(Instances.class, name, ordered, keys, arguments);
    }

    private Call registrationCall(String name, List<String> keys, Supplier<?>... arguments) {
        return call(Registrations.class, name, !name.equals("list") && !name.equals("read"), keys, arguments);
    }

    @SuppressWarnings("unchecked")
    private static Call call(
            Class<?> family, String name, boolean ordered, List<String> keys, Supplier<?>... arguments) {
        List<Supplier<String>> texts = new ArrayList<>();
        for (Supplier<?> argument : arguments) {
            texts.add((Supplier<String>) argument);
        }
        return new Call(LuaScript.load(family, name + ".lua", LuaScript.ANY, LuaScript.ANY), ordered, keys, texts);
    }

    private Supplier<String> one(String... of) {
        return () -> of[dice.nextInt(of.length)];
    }

    private String junk() {
        return JUNK.get(dice.nextInt(JUNK.size()));
    }

    private String term() {
        String now = field("term");
        return dice.nextInt(10) == 0 ? one("1", "2", "3").get() : now.equals("0") ? "1" : now;
    }

    private String instance() {
        return INSTANCES.get(dice.nextInt(INSTANCES.size()));
    }

    private String nonce() {
        return "nonce-" + dice.nextInt(40);
    }

    /** The log itself is not compared: without scripts on the server there is none, and all the rest must be alike. */
    private String logLength() {
        return one("0", "5").get();
    }

    private String later() {
        return String.valueOf(twins.now().toEpochMilli() + (dice.nextInt(20) == 0 ? -1 : 100_000));
    }

    private String due() {
        return String.valueOf(twins.now().toEpochMilli() + (dice.nextInt(4) == 0 ? 100_000 : -100_000));
    }

    /** What the record says now, so that calls of an owner are made too. */
    private String field(String name) {
        try {
            Object value = server.call("HGET", KEYS.record(JOB), name).getFirst();
            return value == null || dice.nextInt(20) == 0
                    ? "0"
                    : new String((byte[]) value, StandardCharsets.ISO_8859_1);
        } catch (ScriptFailed e) {
            return "0";
        }
    }
}
