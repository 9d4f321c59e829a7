package dev.soloist.coordination.testkit.pika;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PikaStandInIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private RedisLink link;

    @BeforeEach
    void open() {
        link = PIKA.link();
    }

    @AfterEach
    void close() {
        link.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EVAL x 0",
                "EVALSHA x 0",
                "SCRIPT LOAD x",
                "FUNCTION LIST",
                "LMOVE a b LEFT RIGHT",
                "BLMOVE a b LEFT RIGHT 1",
                "BRPOPLPUSH a b 1",
                "WAIT 0 0",
                "OBJECT HELP",
                "ROLE",
                "DUMP a",
                "COPY a b",
                "XADD s * f v",
                "XGROUP CREATE s g 0 MKSTREAM",
                "XREADGROUP GROUP g c STREAMS s >"
            })
    void whatIsNotInTheCommandTableIsUnknown(String line) {
        refused("ERR unknown command", line.split(" "));
    }

    @Test
    void compareAndSetAnswersOneNoughtOrMinusOne() {
        assertThat(number("SET", "k", "new", "VX", "old")).isZero();
        link.call("SET", "k", "old");
        assertThat(number("SET", "k", "new", "VX", "other")).isEqualTo(-1);
        assertThat(number("SET", "k", "new", "VX", "old", "EX", "500")).isEqualTo(1);
        assertThat(text("GET", "k")).isEqualTo("new");
        assertThat(number("TTL", "k")).isBetween(1L, 500L);
        assertThat(number("SET", "k", "newer", "VX", "new")).isEqualTo(1);
        assertThat(number("TTL", "k")).isEqualTo(-1);
        assertThat(number("DELVX", "k", "new")).isEqualTo(-1);
        assertThat(number("DELVX", "k", "newer")).isEqualTo(1);
        assertThat(number("DELVX", "k", "newer")).isZero();
    }

    @Test
    void ofManyThatCompareAndSetOneWins() throws Exception {
        link.call("SET", "k", "0");
        var won = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 1; i <= 8; i++) {
                String mine = String.valueOf(i);
                all.add(threads.submit(() -> {
                    try (RedisLink own = PIKA.link()) {
                        List<Object> answer = own.call("SET", "k", mine, "VX", "0");
                        won.addAndGet(answer.equals(List.of(1L)) ? 1 : 0);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(won).hasValue(1);
    }

    @Test
    void setIfAbsentIsRefusedTheSecondTimeAndSecondsAreKept() {
        assertThat(text("SET", "k", "a", "NX", "EX", "500")).isEqualTo("OK");
        assertThat(link.call("SET", "k", "b", "NX", "EX", "500"))
                .satisfiesAnyOf(
                        reply -> assertThat(reply).isEmpty(),
                        reply -> assertThat(reply.getFirst()).isNull());
        assertThat(text("GET", "k")).isEqualTo("a");
        assertThat(number("TTL", "k")).isBetween(1L, 500L);
    }

    @Test
    void halfASecondIsNoExpiryAtAll() {
        link.call("SET", "k", "a", "NX", "PX", "500");
        assertThat(number("PTTL", "k")).isEqualTo(-1);
        link.call("SET", "k", "a", "PX", "90900");
        assertThat(number("PTTL", "k")).isBetween(1000L, 90_000L);
    }

    @Test
    void theFourthReleaseKeepsMillisecondsAndHasStreamsWithoutGroups() {
        try (var four = new PikaStandIn(PikaRelease.V4_0_1).start();
                RedisLink own = four.link()) {
            // More than half a second may pass until it is asked, then it is asked of another.
            await().untilAsserted(() -> {
                own.call("DEL", "k");
                own.call("SET", "k", "a", "NX", "PX", "90999");
                assertThat((Long) own.call("PTTL", "k").getFirst()).isBetween(90_001L, 90_999L);
            });
            own.call("XADD", "s", "*", "f", "v");
            assertThatThrownBy(() -> own.call("XGROUP", "CREATE", "s", "g", "0"))
                    .isInstanceOf(ScriptFailed.class)
                    .hasMessageContaining("unknown command");
            assertThat(own.info("server")).contains("pika_version:4.0.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXAT 99999999999", "PXAT 99999999999", "KEEPTTL", "GET"})
    void otherOptionsOfSetAreSyntaxErrors(String options) {
        refused("ERR syntax error", ("SET k v " + options).split(" "));
    }

    @Test
    void sortedSetsTakePairsOnly() {
        refused("ERR syntax error", "ZADD", "z", "NX", "1", "a");
        refused("ERR value is not a valid float", "ZADD", "z", "NX", "CH", "1", "a");
        assertThat(number("ZADD", "z", "1", "a", "2", "a")).isEqualTo(1);
        assertThat(text("ZSCORE", "z", "a")).isEqualTo("1");
        refused("ERR syntax error", "ZRANGE", "z", "-inf", "5", "BYSCORE", "LIMIT", "0", "1");
        assertThat(link.call("ZRANGEBYSCORE", "z", "-inf", "5", "LIMIT", "0", "1"))
                .hasSize(1);
        assertThat(link.call("ZRANGE", "z", "0", "0", "WITHSCORES")).hasSize(2);
    }

    @Test
    void aHashTakesOneFieldPerCallAndManyByItsOldName() {
        refused("ERR wrong number of arguments", "HSET", "h", "a", "1", "b", "2");
        assertThat(number("HSET", "h", "a", "1")).isEqualTo(1);
        assertThat(text("HMSET", "h", "a", "1", "b", "2")).isEqualTo("OK");
        assertThat(number("HLEN", "h")).isEqualTo(2);
    }

    @Test
    void theHandshakeIsOfTheSecondProtocolWhateverIsAskedFor() {
        List<Object> hello = link.call("HELLO", "3");
        assertThat(hello).hasSize(8);
        assertThat(hello.get(3)).isEqualTo(2L);
        refused("Unknown subcommand", "CLIENT", "SETINFO", "lib-name", "x");
        refused("Unknown subcommand", "CLIENT", "ID");
        assertThat(text("CLIENT", "SETNAME", "x")).isEqualTo("OK");
        assertThat(text("PING")).isEqualTo("PONG");
        refused("ERR wrong number of arguments", "PING", "x");
    }

    @Test
    void itSaysWhatItIsAndKnowsNothingOfMemory() {
        assertThat(link.info("server")).contains("pika_version:3.5.5").doesNotContain("redis_version");
        assertThat(link.info("replication")).contains("role:master");
        assertThat(link.info("memory")).isEmpty();
        assertThat(link.call("TIME")).hasSize(2);
    }

    @Test
    void messagesReachSubscribersOnAConnectionOfTheirOwnForItCanDoNothingElse() throws Exception {
        var heard = new ArrayList<String>();
        try (RedisLink listening = PIKA.link();
                AutoCloseable subscription = listening.subscribe("c", heard::add)) {
            assertThat(subscription).isNotNull();
            await().untilAsserted(() -> {
                link.call("PUBLISH", "c", "hello");
                assertThat(heard).contains("hello");
            });
            assertThat(text("PING")).isEqualTo("PONG");
            listening.call("SET", "k", "v");
            assertThat(text("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aTransactionIsDoneTogetherAndKnowsCompareAndSet() {
        link.call("SET", "k", "old");
        link.call("MULTI");
        link.call("SET", "k", "new", "VX", "old");
        link.call("RPUSH", "l", "a");
        assertThat(link.call("EXEC")).containsExactly(1L, 1L);
        PIKA.offerTransactions(false);
        refused("ERR unknown command", "MULTI");
    }

    @Test
    void anElementThatMovesBetweenTwoKeysIsLostInACrashBetweenTheTwoWrites() {
        link.call("RPUSH", "from", "a");
        PIKA.crashInTheMiddleOfTheNextMultiKeyWrite();

        assertThatThrownBy(() -> link.call("RPOPLPUSH", "from", "to")).isInstanceOf(RedisUnavailable.class);

        try (RedisLink own = PIKA.link()) {
            assertThat(own.call("LLEN", "from")).containsExactly(0L);
            assertThat(own.call("LLEN", "to")).containsExactly(0L);
            own.call("RPUSH", "from", "b");
            own.call("RPOPLPUSH", "from", "to");
            assertThat(own.call("LLEN", "to")).containsExactly(1L);
        }
    }

    @Test
    void aConnectionBreaksBeforeOrAfterTheCommandThatWasNamed() {
        PIKA.breakBefore(2);
        link.call("SET", "a", "1");
        assertThatThrownBy(() -> link.call("SET", "b", "1")).isInstanceOf(RedisUnavailable.class);
        assertThat(PIKA.isBreakPending()).isFalse();
        try (RedisLink own = PIKA.link()) {
            PIKA.forgetCommands();
            assertThat(own.call("EXISTS", "a", "b")).containsExactly(1L);
            assertThat(PIKA.commands()).contains("exists");
            PIKA.breakAfter(1);
            assertThatThrownBy(() -> own.call("SET", "b", "1")).isInstanceOf(RedisUnavailable.class);
        }
        try (RedisLink own = PIKA.link()) {
            assertThat(own.call("EXISTS", "a", "b")).containsExactly(2L);
        }
    }

    @Test
    void aFailoverLosesWhatTheReplicaHadNotSeen() {
        link.call("SET", "old", "1");
        link.call("ZADD", "z", "1", "a");
        PIKA.replicate();
        link.call("SET", "new", "1");
        link.call("DEL", "old");

        PIKA.failOver();

        try (RedisLink own = PIKA.link()) {
            assertThat(own.call("EXISTS", "old", "new", "z")).containsExactly(2L);
        }
    }

    private void refused(String message, String... command) {
        String[] arguments = Arrays.copyOfRange(command, 1, command.length);
        assertThatThrownBy(() -> link.call(command[0], arguments))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining(message);
    }

    private long number(String command, String... arguments) {
        return (Long) link.call(command, arguments).getFirst();
    }

    private String text(String command, String... arguments) {
        return new String((byte[]) link.call(command, arguments).getFirst(), StandardCharsets.UTF_8);
    }
}
