package dev.soloist.coordination.testkit;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.Tls;
import dev.soloist.coordination.link.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A primary, its replicas and three Sentinels, all real processes on loopback. A primary that does not answer for a second
 * is replaced. As a static {@code @RegisterExtension} it lives as long as the class; data stay from test to test.
 */
public final class SentinelGroup implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    /** Under which the Sentinels watch the primary. */
    public static final String NAME = "soloist";

    private static final int SENTINELS = 3;
    private static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    private final @Nullable TlsFiles tls;
    private final @Nullable String password;
    private final List<RedisProcess> nodes = new ArrayList<>();
    private final List<SentinelProcess> sentinels = new ArrayList<>();

    /** A group without encryption and passwords. */
    public SentinelGroup(int replicas) {
        this(replicas, null, null);
    }

    /**
     * A group.
     *
     * @param tls encrypts all traffic, that of Sentinels and replication too, or null; servers go by the name localhost then
     * @param password of all servers and Sentinels, or null
     */
    public SentinelGroup(int replicas, @Nullable TlsFiles tls, @Nullable String password) {
        this.tls = tls;
        this.password = password;
        for (int i = 0; i <= replicas; i++) {
            var node = new RedisProcess("--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes");
            if (tls != null) {
                node = node.encrypted(tls).with("--replica-announce-ip", "localhost");
            }
            nodes.add(password == null ? node : node.protectedBy(password));
        }
    }

    /** Starts everything, and waits until the Sentinels know each other and all replicas. */
    public SentinelGroup start() {
        nodes.forEach(RedisProcess::start);
        HostAndPort first = nodes.getFirst().server();
        for (RedisProcess replica : nodes.subList(1, nodes.size())) {
            ask(replica.server(), "REPLICAOF", first.host(), String.valueOf(first.port()));
        }
        awaitReplication(nodes.getFirst());
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(new SentinelProcess(NAME, first, DOWN_AFTER, tls, password).start());
        }
        awaitAgreement(first);
        return this;
    }

    /** The Sentinels and the name, as a link wants them. */
    public RedisSettings settings() {
        var topology = new Topology.Sentinel(
                sentinels.stream().map(SentinelProcess::server).toList(), NAME, credentials());
        var plain = RedisSettings.of(topology, credentials(), "test");
        return tls == null ? plain : plain.withTls(tls.client());
    }

    /** A connected link; the caller closes it. */
    public RedisLink link() {
        return RedisProcess.connected(RedisLink.open(settings()));
    }

    /** The Sentinels' addresses with commas between them, for the file {@code address}. */
    public String address() {
        return settings().topology().address();
    }

    /** The Sentinels, to be killed and started one by one. */
    public List<SentinelProcess> sentinels() {
        return sentinels;
    }

    /** All data servers. */
    public List<RedisProcess> nodes() {
        return nodes;
    }

    /** The node that the Sentinels name; until they have demoted it, a former primary may go on beside it. */
    public RedisProcess primary() {
        HostAndPort named = running().getFirst().primaryAddress();
        return nodes.stream()
                .filter(node -> node.server().equals(named))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Starts what was killed, and makes every node but the primary its replica, as Sentinels do after some seconds. Who that
     * is, is asked anew each time: the Sentinels may be in the middle of naming another.
     */
    public void restore() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(RedisProcess::start);
        sentinels.stream().filter(sentinel -> !sentinel.isRunning()).forEach(SentinelProcess::start);
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .untilAsserted(() -> {
                    RedisProcess primary = primary();
                    for (RedisProcess node : nodes) {
                        if (node != primary && !follows(node, primary)) {
                            ask(node.server(), "REPLICAOF", primary.server().host(), String.valueOf(primary.port()));
                        }
                    }
                    if (!isReplicated(primary) || !isAgreed(primary.server())) {
                        throw new AssertionError("primary " + primary.server() + ", its replication "
                                + replication(primary) + ", the Sentinels "
                                + running().stream().map(SentinelProcess::state).toList());
                    }
                });
    }

    /** The nodes that say they are replicas. */
    public List<RedisProcess> replicas() {
        return nodes.stream()
                .filter(RedisProcess::isRunning)
                .filter(node -> role(node).equals("slave"))
                .toList();
    }

    /** {@code SENTINEL FAILOVER}, and waits until all Sentinels name the new primary and every other node follows it. */
    public RedisProcess failover() {
        RedisProcess before = primary();
        // A Sentinel that has stood still refuses until it has heard from a replica again.
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            if (sentinels.getFirst().primaryAddress().equals(before.server())) {
                ask(sentinels.getFirst().server(), "SENTINEL", "failover", NAME);
            }
            return true;
        });
        return awaitOther(before);
    }

    /** Kills the primary, and waits until all Sentinels that run name another. */
    public RedisProcess killPrimary() {
        RedisProcess before = primary();
        before.kill();
        return awaitOther(before);
    }

    /**
     * What an administrator may do behind the Sentinels' back, without any connection being closed: makes a replica the
     * primary, the primary its replica, and tells the Sentinels only then.
     */
    public RedisProcess swapByHand() {
        RedisProcess before = primary();
        RedisProcess after = replicas().getFirst();
        for (SentinelProcess sentinel : running()) {
            ask(sentinel.server(), "SENTINEL", "remove", NAME);
        }
        ask(after.server(), "REPLICAOF", "NO", "ONE");
        ask(before.server(), "REPLICAOF", after.server().host(), String.valueOf(after.port()));
        for (SentinelProcess sentinel : running()) {
            sentinel.monitor(after.server());
        }
        return after;
    }

    /** Waits until every running Sentinel names the server, knows the others and sees the right number of replicas. */
    public void awaitAgreement(HostAndPort primary) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> isAgreed(primary));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        sentinels.forEach(SentinelProcess::close);
        nodes.forEach(RedisProcess::close);
    }

    /** An election that fails is repeated after twice the time for a failover, and so is one that follows another too soon. */
    private RedisProcess awaitOther(RedisProcess before) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> running().stream()
                        .noneMatch(sentinel -> sentinel.primaryAddress().equals(before.server())));
        return primary();
    }

    private boolean follows(RedisProcess node, RedisProcess primary) {
        List<Object> role = ask(node.server(), "ROLE");
        return role.getFirst().equals("slave") && ((Long) role.get(2)).intValue() == primary.port();
    }

    private void awaitReplication(RedisProcess primary) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isReplicated(primary));
    }

    private boolean isReplicated(RedisProcess primary) {
        return replication(primary)
                        .lines()
                        .filter(line -> line.contains("state=online"))
                        .count()
                == nodes.size() - 1;
    }

    private String replication(RedisProcess primary) {
        return Wire.text(ask(primary.server(), "INFO", "replication"));
    }

    private boolean isAgreed(HostAndPort primary) {
        long others = nodes.stream().filter(RedisProcess::isRunning).count() - 1;
        return running().stream().allMatch(sentinel -> {
            var state = sentinel.state();
            return state.primary().equals(primary)
                    && state.otherSentinels() >= running().size() - 1
                    && state.replicas() >= others
                    && !state.isFailingOver();
        });
    }

    private List<SentinelProcess> running() {
        return sentinels.stream().filter(SentinelProcess::isRunning).toList();
    }

    private String role(RedisProcess node) {
        return Wire.text(ask(node.server(), "ROLE"));
    }

    private List<Object> ask(HostAndPort server, String command, String... arguments) {
        Tls client = tls == null ? null : tls.client();
        return Wire.ask(server, credentials(), client, command, arguments);
    }

    private Credentials credentials() {
        return password == null ? Credentials.NONE : new Credentials(null, password);
    }
}
