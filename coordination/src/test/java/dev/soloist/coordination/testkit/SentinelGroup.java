package dev.soloist.coordination.testkit;

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
 * A primary, its replicas and three Sentinels, all real processes on loopback. A primary that does not answer for half a
 * minute is replaced, for one second while {@link #killPrimary} waits. As a static {@code @RegisterExtension} it lives as long as the class; data stay from test to test.
 */
public final class SentinelGroup implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    /** Under which the Sentinels watch the primary. */
    public static final String NAME = "soloist";

    private static final int SENTINELS = 3;

    /** A machine that stands still for a moment must not make a primary of a replica. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final Duration IMPATIENT = Duration.ofSeconds(1);

    private final @Nullable TlsFiles tls;
    private final @Nullable String password;
    private final List<RedisProcess> nodes = new ArrayList<>();
    private final List<SentinelProcess> sentinels = new ArrayList<>();
    private final Persistence persistence = new Persistence(this::state);

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
            nodes.add(fresh());
        }
    }

    private RedisProcess fresh() {
        var node = new RedisProcess("--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes");
        if (tls != null) {
            node = node.encrypted(tls).with("--replica-announce-ip", "localhost");
        }
        return password == null ? node : node.protectedBy(password);
    }

    /** Starts everything, and waits until the Sentinels know each other and all replicas. */
    public SentinelGroup start() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.set(i, Persistence.started(nodes.get(i), this::fresh));
        }
        RedisProcess first = nodes.getFirst();
        for (RedisProcess replica : nodes.subList(1, nodes.size())) {
            persistence.bring(
                    replica.port() + " follows " + first.port(),
                    () -> follows(replica, first),
                    () -> follow(replica, first));
        }
        persistence.await("all replicas are in step", () -> isReplicated(first));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(startedSentinel(first.server()));
        }
        awaitAgreement(first.server());
        return this;
    }

    /** Somebody may take the port before the Sentinel does; then it is started on another. */
    private SentinelProcess startedSentinel(HostAndPort primary) {
        for (int tries = 1; ; tries++) {
            var sentinel = new SentinelProcess(NAME, primary, PATIENT, tls, password);
            try {
                return sentinel.start();
            } catch (RuntimeException e) {
                sentinel.close();
                if (tries == 4) {
                    throw e;
                }
            }
        }
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
        return persistence.connected(settings());
    }

    /** The same, whose commands wait long for their answers, for tests that mean no outage. */
    public RedisLink patientLink() {
        return persistence.connected(settings().withCommandTimeout(Duration.ofSeconds(30)));
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
        HostAndPort named = watching().getFirst().primaryAddress();
        return nodes.stream()
                .filter(node -> node.server().equals(named))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Starts what was killed, and makes every node but the primary its replica, as Sentinels do after some seconds. Who that
     * is, is asked anew each time: the Sentinels may be in the middle of naming another. A node that is named and follows
     * another itself is freed: nobody else would do that for half a minute.
     */
    public void restore() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(RedisProcess::start);
        sentinels.stream().filter(sentinel -> !sentinel.isRunning()).forEach(SentinelProcess::start);
        persistence.bring("all Sentinels name one primary, and all other nodes follow it", this::isInOrder, () -> {
            if (watching().stream().anyMatch(sentinel -> sentinel.state().isFailingOver())) {
                return;
            }
            RedisProcess primary = primary();
            for (SentinelProcess sentinel : running()) {
                if (!sentinel.isWatching()) {
                    sentinel.monitor(primary.server());
                }
            }
            if (!role(primary).equals("master")) {
                ask(primary.server(), "REPLICAOF", "NO", "ONE");
            }
            for (RedisProcess node : nodes) {
                if (node != primary && !follows(node, primary)) {
                    follow(node, primary);
                }
            }
        });
        running().forEach(sentinel -> sentinel.allowSilence(PATIENT));
    }

    private boolean isInOrder() {
        RedisProcess primary = primary();
        return role(primary).equals("master")
                && nodes.stream().allMatch(node -> node == primary || follows(node, primary))
                && isReplicated(primary)
                && isAgreed(primary.server());
    }

    /** The nodes that say they are replicas. */
    public List<RedisProcess> replicas() {
        return nodes.stream()
                .filter(RedisProcess::isRunning)
                .filter(node -> role(node).equals("slave"))
                .toList();
    }

    /** {@code SENTINEL FAILOVER}, and waits until all Sentinels name the same new primary. */
    public RedisProcess failover() {
        RedisProcess before = primary();
        // Refused while one is under way, or while no replica has told of itself lately; given up if it takes too long.
        return awaitOther(before, () -> running().getFirst().ask("SENTINEL", "failover", NAME));
    }

    /** Kills the primary, and waits until all Sentinels that run name the same other. */
    public RedisProcess killPrimary() {
        RedisProcess before = primary();
        running().forEach(sentinel -> sentinel.allowSilence(IMPATIENT));
        before.kill();
        // An election that fails is repeated after twice the time for a failover, and so is one that follows another.
        RedisProcess after = awaitOther(before, () -> {});
        running().forEach(sentinel -> sentinel.allowSilence(PATIENT));
        return after;
    }

    /**
     * What an administrator may do behind the Sentinels' back, without any connection being closed: makes a replica the
     * primary, the primary its replica, and tells the Sentinels only then.
     */
    public RedisProcess swapByHand() {
        RedisProcess before = primary();
        RedisProcess after = replicas().getFirst();
        for (SentinelProcess sentinel : running()) {
            persistence.bring("a Sentinel watches nobody", () -> !sentinel.isWatching(), sentinel::forget);
        }
        persistence.bring(
                after.port() + " is a primary",
                () -> role(after).equals("master"),
                () -> ask(after.server(), "REPLICAOF", "NO", "ONE"));
        persistence.bring(
                before.port() + " follows " + after.port(), () -> follows(before, after), () -> follow(before, after));
        for (SentinelProcess sentinel : running()) {
            persistence.bring(
                    "a Sentinel watches " + after.port(),
                    () -> sentinel.isWatching() && sentinel.primaryAddress().equals(after.server()),
                    () -> sentinel.monitor(after.server()));
        }
        return after;
    }

    /** Waits until every running Sentinel names the server, knows the others and sees the right number of replicas. */
    public void awaitAgreement(HostAndPort primary) {
        persistence.await("all Sentinels know " + primary + " and each other", () -> isAgreed(primary));
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

    private RedisProcess awaitOther(RedisProcess before, Persistence.Asking asking) {
        persistence.bring(
                "all Sentinels name another than " + before.port(),
                () -> {
                    var named = running().stream()
                            .map(SentinelProcess::primaryAddress)
                            .distinct()
                            .toList();
                    return named.size() == 1 && !named.getFirst().equals(before.server());
                },
                () -> {
                    // One of them knows already: the others hear of it.
                    if (running().stream()
                            .allMatch(sentinel -> sentinel.primaryAddress().equals(before.server()))) {
                        asking.ask();
                    }
                });
        return primary();
    }

    private boolean follows(RedisProcess node, RedisProcess primary) {
        List<Object> role = ask(node.server(), "ROLE");
        return role.getFirst().equals("slave") && ((Long) role.get(2)).intValue() == primary.port();
    }

    private void follow(RedisProcess node, RedisProcess primary) {
        ask(node.server(), "REPLICAOF", primary.server().host(), String.valueOf(primary.port()));
    }

    private boolean isReplicated(RedisProcess primary) {
        return Wire.text(ask(primary.server(), "INFO", "replication"))
                        .lines()
                        .filter(line -> line.contains("state=online"))
                        .count()
                == nodes.size() - 1;
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

    private List<SentinelProcess> watching() {
        return running().stream().filter(SentinelProcess::isWatching).toList();
    }

    private String role(RedisProcess node) {
        return Wire.text(ask(node.server(), "ROLE"));
    }

    private String state() {
        var text = new StringBuilder();
        for (RedisProcess node : nodes) {
            text.append(node.address())
                    .append(node.isRunning() ? "" : " does not run")
                    .append(" ")
                    .append(Persistence.answer(() -> ask(node.server(), "ROLE")))
                    .append("\n    ")
                    .append(node.log())
                    .append("\n");
        }
        for (SentinelProcess sentinel : sentinels) {
            text.append("Sentinel ")
                    .append(sentinel.server())
                    .append(sentinel.isRunning() ? "" : " does not run")
                    .append(" ")
                    .append(Persistence.answer(sentinel::state))
                    .append(" ")
                    .append(Persistence.answer(() -> sentinel.ask("INFO", "sentinel")))
                    .append("\n    ")
                    .append(Persistence.lastLines(sentinel.log()))
                    .append("\n");
        }
        return text.toString();
    }

    private List<Object> ask(HostAndPort server, String command, String... arguments) {
        Tls client = tls == null ? null : tls.client();
        return Wire.ask(server, credentials(), client, command, arguments);
    }

    private Credentials credentials() {
        return password == null ? Credentials.NONE : new Credentials(null, password);
    }
}
