package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisLinkIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void openingWithoutRedisReturnsAtOnceAndConnectsLater() throws InterruptedException {
        int port = RedisProcess.freePort();
        var settings = RedisSettings.of("127.0.0.1:" + port, Credentials.NONE, "t");
        var wanted = new AtomicReference<@Nullable RedisSettings>(settings);
        try (RedisLink link = RedisLink.open(wanted::get, CommandObserver.NONE)) {
            assertThatThrownBy(link::now).isInstanceOf(RedisUnavailable.class);

            wanted.set(REDIS.settings());

            assertThat(link.awaitConnected(Duration.ofSeconds(60))).isTrue();
            assertThat(link.now()).isNotNull();
        }
    }

    @Test
    void aCommandWhoseReplyIsLostFailsAndIsNotSentAgain() {
        try (var proxy = new FaultyLink(REDIS.port());
                RedisLink broken = through(proxy);
                RedisLink direct = REDIS.link()) {
            proxy.dropReplies();

            assertThatThrownBy(() -> broken.call("INCR", "counter")).isInstanceOf(RedisUnavailable.class);

            proxy.heal();
            await().until(broken::isConnected);
            assertThat(broken.call("GET", "counter")).containsExactly("1".getBytes(StandardCharsets.UTF_8));
            assertThat(direct.call("GET", "counter")).containsExactly("1".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void commandsAreRefusedWhileTheConnectionIsDownAndServedAfterwards() {
        try (var proxy = new FaultyLink(REDIS.port());
                RedisLink link = through(proxy)) {
            proxy.cut();

            await().until(() -> !link.isConnected());
            assertThatThrownBy(link::now)
                    .isInstanceOfSatisfying(
                            RedisUnavailable.class,
                            e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.DISCONNECTED));

            proxy.heal();
            await().until(link::isConnected);
            assertThat(link.now()).isNotNull();
        }
    }

    @Test
    void aFrozenServerIsATimeout() {
        try (RedisLink link =
                RedisProcess.connected(RedisLink.open(REDIS.settings().withCommandTimeout(Duration.ofMillis(300))))) {
            REDIS.pause(true);
            try {
                assertThatThrownBy(link::now)
                        .isInstanceOfSatisfying(
                                RedisUnavailable.class,
                                e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.TIMEOUT));
            } finally {
                REDIS.pause(false);
            }
        }
    }

    @Test
    void aConnectionOnWhichNothingIsAnsweredIsDroppedAndMadeAnew() {
        try (RedisLink link =
                RedisProcess.connected(RedisLink.open(REDIS.settings().withCommandTimeout(Duration.ofMillis(300))))) {
            REDIS.pause(true);
            try {
                await().until(() -> {
                    assertThatThrownBy(link::now).isInstanceOf(RedisUnavailable.class);
                    return !link.isConnected();
                });
            } finally {
                REDIS.pause(false);
            }

            await().until(link::isConnected);
            assertThat(link.now()).isNotNull();
        }
    }

    @Test
    void aSubscriptionSurvivesALostConnectionAndAsksItsListenerToLook() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (RedisLink link = REDIS.link();
                RedisLink other = REDIS.link();
                AutoCloseable subscription = link.subscribe("news", heard::add)) {
            await().untilAsserted(() -> {
                other.call("PUBLISH", "news", "one");
                assertThat(heard).contains("one");
            });
            heard.clear();

            other.call("CLIENT", "KILL", "TYPE", "pubsub");

            await().untilAsserted(() -> assertThat(heard).contains(""));
            await().untilAsserted(() -> {
                other.call("PUBLISH", "news", "two");
                assertThat(heard).contains("two");
            });
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void aScriptIsSentAgainToAServerThatForgotIt() {
        try (RedisLink link = REDIS.link()) {
            String text = "return {ARGV[1]}";
            String sha = "0".repeat(40);
            for (int i = 0; i < 2; i++) {
                assertThat((List<?>) link.eval(sha, text, List.of(), "x".getBytes(StandardCharsets.UTF_8)))
                        .singleElement()
                        .isEqualTo("x".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void aRotatedPasswordReachesTheNextConnection() throws InterruptedException {
        try (RedisLink admin = REDIS.link()) {
            admin.call("ACL", "SETUSER", "app", "on", ">first", "~*", "&*", "+@all");
            var password = new AtomicReference<>("first");
            try (RedisLink link = RedisProcess.connected(RedisLink.open(
                    () -> RedisSettings.of(REDIS.address(), new Credentials("app", password.get()), "app"),
                    CommandObserver.NONE))) {
                admin.call("ACL", "SETUSER", "app", "resetpass", ">second");
                password.set("second");

                await().until(link::isConnected);
                assertThat(link.now()).isNotNull();
            } finally {
                admin.call("ACL", "DELUSER", "app");
            }
        }
    }

    @Test
    void aWrongPasswordIsToldAsTrouble() {
        try (RedisLink link = RedisLink.open(RedisSettings.of(REDIS.address(), new Credentials("nobody", "x"), "t"))) {
            await().untilAsserted(() -> assertThat(link.trouble()).contains("WRONGPASS"));
        }
    }

    @Test
    void theClockFollowsRedis() {
        try (RedisLink link = REDIS.link()) {
            // A reading is as good as the way to it and back was short: that is left to chance.
            await().untilAsserted(() -> {
                Instant before = link.now();
                Instant estimate = link.clock().now();
                Instant after = link.now();
                assertThat(estimate).isBetween(before.minusSeconds(1), after.plusSeconds(1));
            });
        }
    }

    private static RedisLink through(FaultyLink proxy) {
        return RedisProcess.connected(
                RedisLink.open(RedisSettings.of(proxy.address(), Credentials.NONE, "through-proxy")));
    }
}
