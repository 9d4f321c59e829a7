package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.store.StoreDirectory;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the link when the files of the store change under it. */
@Timeout(240)
class AuthLinkIT {

    /** Renews a lease, as far as a lost one can be told: it says 0 once the key has expired. */
    private static final String RENEW = "return {redis.call('PEXPIRE', KEYS[1], 3000)}";

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @TempDir
    private Path folder;

    private RedisLink admin;

    @BeforeEach
    void open() {
        admin = REDIS.link();
        admin.call("ACL", "SETUSER", "app", "reset", "on", ">first", "~*", "&*", "+@all");
        admin.call("ACL", "LOG", "RESET");
    }

    @AfterEach
    void close() {
        admin.call("ACL", "DELUSER", "app");
        admin.close();
    }

    @Test
    void f11_aPasswordRotatedWithTwoValidOnesCostsNoCommandAndNoLease() throws Exception {
        files(REDIS.address(), "app", "first");
        try (RedisLink link = connected()) {
            admin.call("SET", "lease", "mine", "PX", "30000");
            var load = new Load(link);

            admin.call("ACL", "SETUSER", "app", ">second");
            write(StoreFile.PASSWORD, "second");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> link.settings().credentials().password().equals("second"));
            await().atMost(Duration.ofSeconds(60)).until(() -> clientsOf("app") == 1);
            admin.call("ACL", "SETUSER", "app", "<first");
            admin.call("CLIENT", "KILL", "USER", "app");
            await().until(() -> link.isConnected() && load.renewedAgain());

            load.end();
            assertThat(load.lost).as("renewals of an expired lease").hasValue(0);
            // Only the connection that was killed may have cost something, for a moment.
            assertThat(Duration.ofNanos(load.longestGap.get())).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void f11_aPasswordThatIsReplacedAtOneStrokeCostsLessThanFiveSeconds() throws Exception {
        files(REDIS.address(), "app", "0");
        admin.call("ACL", "SETUSER", "app", "resetpass", ">0");
        // A machine that stands still for a moment is not the link's fault: one of a few has to be followed in time.
        var took = Duration.ofDays(1);
        try (RedisLink link = connected()) {
            var load = new Load(link);
            for (int i = 1; i <= 5 && took.compareTo(Duration.ofSeconds(5)) >= 0; i++) {
                admin.call("ACL", "SETUSER", "app", "resetpass", ">" + i);
                admin.call("CLIENT", "KILL", "USER", "app");
                await().until(() -> !link.isConnected());
                write(StoreFile.PASSWORD, String.valueOf(i));

                long begun = System.nanoTime();
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(10))
                        .until(link::isConnected);
                took = Duration.ofNanos(System.nanoTime() - begun);
            }
            load.end();
        }
        assertThat(took).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void f11_aWrongPasswordIsForbiddenAndTriedOnceASecondAtMost() throws Exception {
        files(REDIS.address(), "app", "wrong");
        long begun = System.nanoTime();
        try (RedisLink link = RedisLink.open(directory(), CommandObserver.NONE)) {
            await().untilAsserted(() -> assertThat(link.trouble()).contains("WRONGPASS"));

            assertThatThrownBy(link::now)
                    .isInstanceOfSatisfying(
                            RedisUnavailable.class,
                            e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.FORBIDDEN));
            await().atMost(Duration.ofSeconds(60)).until(() -> refusals() >= 3);

            // Counted first: what comes later has had more time, too.
            long refusals = refusals();
            double seconds = (System.nanoTime() - begun) / 1e9;
            assertThat((double) refusals).isLessThanOrEqualTo(seconds + 1);

            write(StoreFile.PASSWORD, "first");
            await().atMost(Duration.ofSeconds(60)).until(link::isConnected);
        }
    }

    @Test
    void aWrongPasswordInChangedFilesKeepsTheConnectionThatIsThere() throws Exception {
        files(REDIS.address(), "app", "first");
        try (RedisLink link = connected()) {
            write(StoreFile.PASSWORD, "wrong");
            await().atMost(Duration.ofSeconds(60)).until(() -> refusals() >= 2);

            assertThat(link.isConnected()).isTrue();
            assertThat(link.now()).isNotNull();
        }
    }

    @Test
    void badFilesKeepTheLastGoodSettingsAlsoAcrossALostConnection() throws Exception {
        files(REDIS.address(), "app", "first");
        try (RedisLink link = connected()) {
            write(StoreFile.TOPOLOGY, "Sentinel");
            await().atMost(Duration.ofSeconds(60)).until(() -> link.complaint().contains("sentinelName is missing"));
            assertThat(link.now()).isNotNull();

            admin.call("CLIENT", "KILL", "USER", "app");

            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> link.now() != null);
            write(StoreFile.TOPOLOGY, "Standalone");
            await().atMost(Duration.ofSeconds(60)).until(() -> link.complaint().isEmpty());
        }
    }

    @Test
    void badFilesFromTheBeginningAreTheTrouble() throws Exception {
        files("a:1,b:2", "app", "first");
        try (RedisLink link = RedisLink.open(directory(), CommandObserver.NONE)) {
            await().untilAsserted(() -> assertThat(link.trouble()).contains("topology Standalone has one"));

            write(StoreFile.ADDRESS, REDIS.address());

            await().atMost(Duration.ofSeconds(60)).until(link::isConnected);
        }
    }

    @Test
    void anotherAddressIsPassedOverToWithoutAnError() throws Exception {
        files(REDIS.address(), "app", "first");
        try (var other = new RedisProcess().start();
                RedisLink link = connected()) {
            try (RedisLink there = other.link()) {
                there.call("ACL", "SETUSER", "app", "reset", "on", ">first", "~*", "&*", "+@all");
                var load = new Load(link);

                write(StoreFile.ADDRESS, other.address());

                await().atMost(Duration.ofSeconds(60))
                        .until(() -> link.info("server").contains("tcp_port:" + other.port()));
                load.end();
                assertThat(load.failed).hasValue(0);
            }
        }
    }

    /** Renews for ever, and tells how long it could not. */
    private static final class Load {
        final AtomicInteger failed = new AtomicInteger();
        final AtomicInteger lost = new AtomicInteger();
        final AtomicLong longestGap = new AtomicLong();
        private final AtomicInteger renewed = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;

        Load(RedisLink link) {
            thread = Thread.ofVirtual().start(() -> {
                long last = System.nanoTime();
                while (!over.get()) {
                    try {
                        var reply = (List<?>) link.eval("0".repeat(40), RENEW, List.of("lease"));
                        if (reply.getFirst().equals(0L)) {
                            lost.incrementAndGet();
                        }
                        renewed.incrementAndGet();
                        long now = System.nanoTime();
                        longestGap.accumulateAndGet(now - last, Math::max);
                        last = now;
                    } catch (RedisUnavailable e) {
                        failed.incrementAndGet();
                    }
                    LockSupport.parkNanos(5_000_000);
                }
            });
            await().until(() -> renewed.get() > 3);
        }

        boolean renewedAgain() {
            int before = renewed.get();
            await().until(() -> renewed.get() > before);
            return true;
        }

        void end() throws InterruptedException {
            over.set(true);
            thread.join();
        }
    }

    private RedisLink connected() {
        return RedisProcess.connected(RedisLink.open(directory(), CommandObserver.NONE));
    }

    private StoreDirectory directory() {
        return new StoreDirectory(folder, "app");
    }

    private void files(String address, String username, String password) throws IOException {
        write(StoreFile.USERNAME, username);
        write(StoreFile.PASSWORD, password);
        write(StoreFile.ADDRESS, address);
    }

    /** At one stroke, as the kubelet does. */
    private void write(StoreFile file, String text) throws IOException {
        Path fresh = folder.resolve("..tmp");
        Files.writeString(fresh, text);
        Files.move(
                fresh,
                folder.resolve(file.fileName()),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private long clientsOf(String user) {
        return new String((byte[]) admin.call("CLIENT", "LIST").getFirst(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("user=" + user + " "))
                .count();
    }

    private int refusals() {
        return admin.call("ACL", "LOG").stream()
                .mapToInt(entry -> {
                    var fields = ((List<?>) entry).stream().map(Replies::text).toList();
                    return fields.contains("auth") ? Integer.parseInt(fields.get(fields.indexOf("count") + 1)) : 0;
                })
                .sum();
    }
}
