package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.coordination.testkit.TlsFiles;
import dev.soloist.coordination.testkit.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class TlsLinkIT {

    private static final int ROTATIONS = 6;

    private static TlsFiles files;
    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        files = TlsFiles.mutual();
        redis = new RedisProcess().encrypted(files).start();
    }

    @AfterAll
    static void end() {
        redis.close();
        files.close();
    }

    @Test
    void f12_theServersCertificateIsCheckedAndOursIsShown() {
        try (RedisLink link = redis.link()) {
            assertThat(link.now()).isNotNull();
            assertThat(link.settings().tls().verification()).isEqualTo(Tls.Verification.FULL);
        }
    }

    @Test
    void f12_anotherAuthorityIsNotBelieved() {
        try (var others = TlsFiles.ofServers()) {
            var wrong = new Tls(others.ca(), null, null, Tls.Verification.FULL);

            assertThat(troubleWith(redis.settings().withTls(wrong)))
                    .containsAnyOf("certification path", "trust anchors");
        }
    }

    @Test
    void f12_aClientWithoutACertificateIsNotLetIn() {
        var none = files.tls(null, Tls.Verification.FULL);

        assertThat(troubleWith(redis.settings().withTls(none))).isNotEmpty();
    }

    @Test
    void f12_aServerOfAnotherNameIsRefusedUnlessNamesDoNotMatter() {
        try (var elsewhere = TlsFiles.ofServers().renewServer("DNS:redis.example", Duration.ofHours(1));
                var other = new RedisProcess().encrypted(elsewhere)) {
            assertThatThrownBy(other::start).hasMessageContaining("no connection");
            var named = elsewhere.tls(null, Tls.Verification.FULL);
            var anyName = elsewhere.tls(null, Tls.Verification.CA);
            var anybody = new Tls(files.ca(), null, null, Tls.Verification.NONE);

            assertThat(troubleWith(other.settings().withTls(named))).contains("localhost");
            for (Tls tls : List.of(anyName, anybody)) {
                try (RedisLink link =
                        RedisProcess.connected(RedisLink.open(other.settings().withTls(tls)))) {
                    assertThat(link.now()).isNotNull();
                }
            }
        }
    }

    @Test
    void f12_aPlainLinkToAnEncryptedPortIsTroubleAndNoCrash() {
        var plain = RedisSettings.of(redis.settings().topology(), Credentials.NONE, "plain");

        assertThat(troubleWith(plain)).isNotEmpty();
    }

    @Test
    void f12_certificatesOfSecondsAreRotatedWithoutAFailedRenewal() throws Exception {
        var wanted = new AtomicReference<>(settings(Duration.ofSeconds(8)));
        var failed = new ArrayList<String>();
        var renewed = new AtomicInteger();
        var over = new AtomicBoolean();
        try (RedisLink link = RedisProcess.connected(RedisLink.open(wanted::get, CommandObserver.NONE))) {
            Thread load = Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    try {
                        link.call("SET", "lease", "mine", "PX", "3000");
                        renewed.incrementAndGet();
                    } catch (RedisUnavailable e) {
                        failed.add(e.getMessage());
                    }
                    LockSupport.parkNanos(2_000_000);
                }
            });

            for (int i = 0; i < ROTATIONS; i++) {
                RedisSettings next = settings(Duration.ofSeconds(8));
                wanted.set(next);
                await().atMost(Duration.ofSeconds(60)).until(() -> next.equals(link.settings()));
                int before = renewed.get();
                await().until(() -> renewed.get() > before + 20);
            }
            over.set(true);
            load.join();

            assertThat(failed).isEmpty();
            System.out.printf("%d renewals over %d certificates%n", renewed.get(), ROTATIONS + 1);
        }
    }

    @Test
    void f12_aNewAuthorityIsTakenUpBeforeTheServerChanges() {
        try (var old = TlsFiles.ofServers();
                var fresh = TlsFiles.ofServers();
                var first = new RedisProcess().encrypted(old).start();
                var second = new RedisProcess().encrypted(fresh).start()) {
            var both = new Tls(old.ca() + "\n" + fresh.ca(), null, null, Tls.Verification.FULL);
            for (RedisProcess server : List.of(first, second)) {
                try (RedisLink link =
                        RedisProcess.connected(RedisLink.open(server.settings().withTls(both)))) {
                    assertThat(link.now()).isNotNull();
                }
            }
        }
    }

    @Test
    void f12_sentinelsAreAskedOverTlsByNameAndAFailoverIsFollowed() {
        try (var group = new SentinelGroup(1, files, "secret").start();
                RedisLink link = group.link()) {
            var sentinel = group.sentinels().getFirst();
            assertThatThrownBy(() -> Wire.ask(sentinel.server(), "PING")).isNotNull();

            var after = group.failover();

            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> tlsPortOf(link) == after.port());
            assertThat(link.call("SET", "after", "failover")).hasSize(1);
        }
    }

    @Test
    void f12_aClusterIsReachedOverTlsNodeByNode() {
        try (var group = new ClusterGroup(0, files, "secret").start()) {
            // Nodes tell their addresses, not names, which the certificate carries, too.
            try (RedisLink link = group.link()) {
                for (String key : List.of("a", "b", "c", "d")) {
                    assertThat(link.call("SET", key, "x")).hasSize(1);
                }
            }
        }
    }

    private static int tlsPortOf(RedisLink link) {
        List<?> reply = link.call("CONFIG", "GET", "tls-port");
        List<?> pair = reply.getFirst() instanceof List<?> nested ? nested : reply;
        return Integer.parseInt(Replies.text(pair.get(1)));
    }

    private static RedisSettings settings(Duration validFor) {
        return redis.settings().withTls(files.tls(files.client(validFor), Tls.Verification.FULL));
    }

    private static String troubleWith(RedisSettings settings) {
        try (RedisLink link = RedisLink.open(settings)) {
            await().until(() -> !link.trouble().isEmpty() && !link.trouble().contains("not connected yet"));
            return link.trouble();
        }
    }
}
