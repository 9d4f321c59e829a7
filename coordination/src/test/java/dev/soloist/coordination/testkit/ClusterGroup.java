package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.Topology;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Redis Cluster of three primaries and perhaps replicas, all real processes on loopback. A node that does not answer for
 * five seconds counts as failed, for one second while {@link #killPrimary} waits. As a static {@code @RegisterExtension} it
 * is emptied before each test.
 */
public final class ClusterGroup implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback, AutoCloseable {

    private static final int PRIMARIES = 3;
    private static final int SLOTS = SlotHash.SLOT_COUNT;

    /** The nodes talk to each other on the port that is higher by this. */
    private static final int BUS = 10_000;

    /** How long a node may be silent, in ms: a machine that stands still for a moment must not make a primary of a replica. */
    private static final String PATIENT = "5000";

    private static final String IMPATIENT = "1000";

    private final @Nullable TlsFiles tls;
    private final @Nullable String password;
    private final List<RedisProcess> nodes = new ArrayList<>();
    private final Persistence persistence = new Persistence(this::state);

    /** A Cluster without encryption and passwords. */
    public ClusterGroup(int replicasOfEach) {
        this(replicasOfEach, null, null);
    }

    /**
     * A Cluster.
     *
     * @param tls encrypts all traffic, that between the nodes too, or null
     * @param password of all nodes, or null
     */
    public ClusterGroup(int replicasOfEach, @Nullable TlsFiles tls, @Nullable String password) {
        this.tls = tls;
        this.password = password;
        for (int i = 0; i < PRIMARIES * (1 + replicasOfEach); i++) {
            nodes.add(fresh());
        }
    }

    private RedisProcess fresh() {
        var node = new RedisProcess(
                        "--cluster-enabled",
                        "yes",
                        "--cluster-node-timeout",
                        PATIENT,
                        "--cluster-replica-validity-factor",
                        "0",
                        "--repl-diskless-sync-delay",
                        "0",
                        "--repl-diskless-sync",
                        "yes")
                .on(FreePorts.withOther(BUS));
        if (tls != null) {
            node = node.encrypted(tls);
        }
        return password == null ? node : node.protectedBy(password);
    }

    /** Starts everything, and waits until every node finds the Cluster in order. */
    public ClusterGroup start() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.set(i, Persistence.started(nodes.get(i), this::fresh));
        }
        // Epochs are given before a node knows another, and slots too: nobody has to settle who is right.
        for (int i = 0; i < nodes.size(); i++) {
            RedisProcess node = nodes.get(i);
            String epoch = String.valueOf(i + 1);
            persistence.bring(
                    node.port() + " has epoch " + epoch,
                    () -> clusterInfo(node, "cluster_my_epoch") > 0,
                    () -> ask(node, "CLUSTER", "SET-CONFIG-EPOCH", epoch));
        }
        for (int i = 0; i < PRIMARIES; i++) {
            RedisProcess node = nodes.get(i);
            String[] slots = IntStream.range(SLOTS * i / PRIMARIES, SLOTS * (i + 1) / PRIMARIES)
                    .mapToObj(String::valueOf)
                    .toArray(String[]::new);
            persistence.bring(
                    node.port() + " serves " + slots.length + " slots",
                    () -> clusterInfo(node, "cluster_slots_assigned") >= slots.length,
                    () -> ask(node, "CLUSTER", prepend("ADDSLOTS", slots)));
        }
        // A node that is not met in time is forgotten, so it is introduced again.
        persistence.bring(
                "all know all",
                () -> nodes.stream().allMatch(this::knowsAll),
                () -> nodes.stream().skip(1).forEach(this::introduce));
        for (int i = PRIMARIES; i < nodes.size(); i++) {
            RedisProcess replica = nodes.get(i);
            RedisProcess primary = nodes.get(i % PRIMARIES);
            persistence.bring(
                    replica.port() + " follows " + primary.port(),
                    () -> follows(replica, primary),
                    () -> ask(replica, "CLUSTER", "REPLICATE", id(primary)));
        }
        awaitOrder();
        return this;
    }

    /** All nodes as seeds. */
    public RedisSettings settings() {
        var servers = nodes.stream().map(RedisProcess::server).toList();
        var plain = RedisSettings.of(new Topology.Cluster(servers), credentials(), "test");
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

    /** The nodes' addresses with commas between them, for the file {@code address}. */
    public String address() {
        return settings().topology().address();
    }

    /** All nodes; in the beginning the first three are the primaries. */
    public List<RedisProcess> nodes() {
        return nodes;
    }

    /** The running nodes that are primaries. */
    public List<RedisProcess> primaries() {
        return running().stream()
                .filter(node -> ask(node, "ROLE").getFirst().equals("master"))
                .toList();
    }

    /** Starts what was killed, and waits until every node finds the Cluster in order and every primary has its replica. */
    public void restore() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(RedisProcess::start);
        awaitOrder();
    }

    /** The node that serves the key's slot, as most of the running nodes see it. */
    public RedisProcess ownerOf(String key) {
        return ownerOf(SlotHash.getSlot(key));
    }

    /** The node that serves the slot. */
    public RedisProcess ownerOf(int slot) {
        for (RedisProcess node : running()) {
            for (Object range : ask(node, "CLUSTER", "SLOTS")) {
                var fields = (List<?>) range;
                if ((Long) fields.get(0) <= slot && slot <= (Long) fields.get(1)) {
                    var port = ((Long) ((List<?>) fields.get(2)).get(1)).intValue();
                    return nodes.stream()
                            .filter(one -> one.port() == port)
                            .findFirst()
                            .orElseThrow();
                }
            }
        }
        throw new IllegalStateException("nobody serves slot " + slot);
    }

    /** Begins to move a slot, so that both ends answer with ASK or TRYAGAIN until {@link #endMigration(int, RedisProcess)}. */
    public void beginMigration(int slot, RedisProcess to) {
        RedisProcess from = ownerOf(slot);
        ask(to, "CLUSTER", "SETSLOT", String.valueOf(slot), "IMPORTING", id(from));
        ask(from, "CLUSTER", "SETSLOT", String.valueOf(slot), "MIGRATING", id(to));
    }

    /** Moves one key that lies in a slot being moved. */
    public void moveKey(String key, RedisProcess to) {
        var command = new ArrayList<>(List.of("127.0.0.1", String.valueOf(to.port()), key, "0", "5000"));
        if (password != null) {
            command.addAll(List.of("AUTH", password));
        }
        ask(ownerOf(key), "MIGRATE", command.toArray(String[]::new));
    }

    /** Moves the keys that are still there, and ends the move of the slot. */
    public void endMigration(int slot, RedisProcess to) {
        RedisProcess from = ownerOf(slot);
        List<Object> keys;
        while (!(keys = ask(from, "CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), "100")).isEmpty()) {
            keys.forEach(key -> moveKey(String.valueOf(key), to));
        }
        String target = id(to);
        ask(to, "CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", target);
        ask(from, "CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", target);
        persistence.await(
                "slot " + slot + " is at " + to.port(),
                () -> running().stream().allMatch(node -> ownerSeenBy(node, slot) == to.port()));
    }

    /** A replica of the node; fails if it has none. */
    public RedisProcess replicaOf(RedisProcess primary) {
        String id = id(primary);
        return running().stream()
                .filter(node -> follows(node, primary))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no replica of " + id));
    }

    /** Makes a replica take its primary's place, with the primary's consent and without loss. */
    public RedisProcess failover(RedisProcess primary) {
        RedisProcess replica = replicaOf(primary);
        persistence.bring(
                replica.port() + " takes over from " + primary.port(),
                () -> role(replica).equals("master"),
                () -> ask(replica, "CLUSTER", "FAILOVER"));
        awaitOk();
        return replica;
    }

    /** Kills a primary, and waits until its replica has taken its place. */
    public RedisProcess killPrimary(RedisProcess primary) {
        RedisProcess replica = replicaOf(primary);
        running().forEach(node -> allowSilence(node, IMPATIENT));
        primary.kill();
        persistence.await(
                replica.port() + " takes the place of " + primary.port(),
                () -> role(replica).equals("master"));
        running().forEach(node -> allowSilence(node, PATIENT));
        awaitOk();
        return replica;
    }

    /** Waits until every running node finds the Cluster in order. */
    public void awaitOk() {
        persistence.await(
                "every running node finds the Cluster in order",
                () -> running().stream()
                        .allMatch(
                                node -> Wire.text(ask(node, "CLUSTER", "INFO")).contains("cluster_state:ok")));
    }

    /** Sends one node a command. */
    public List<Object> ask(RedisProcess node, String command, String... arguments) {
        return Wire.ask(node.server(), credentials(), tls == null ? null : tls.client(), command, arguments);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        persistence.await("all primaries are emptied", () -> {
            for (RedisProcess node : running()) {
                if (role(node).equals("master")) {
                    ask(node, "FLUSHALL");
                }
            }
            return true;
        });
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        nodes.forEach(RedisProcess::close);
    }

    private List<RedisProcess> running() {
        return nodes.stream().filter(RedisProcess::isRunning).toList();
    }

    private int ownerSeenBy(RedisProcess node, int slot) {
        for (Object range : ask(node, "CLUSTER", "SLOTS")) {
            var fields = (List<?>) range;
            if ((Long) fields.get(0) <= slot && slot <= (Long) fields.get(1)) {
                return ((Long) ((List<?>) fields.get(2)).get(1)).intValue();
            }
        }
        return 0;
    }

    private String id(RedisProcess node) {
        return Wire.text(ask(node, "CLUSTER", "MYID"));
    }

    private int clusterInfo(RedisProcess node, String field) {
        return Wire.text(ask(node, "CLUSTER", "INFO"))
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(field.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    private Credentials credentials() {
        return password == null ? Credentials.NONE : new Credentials(null, password);
    }

    /** All know all, find the Cluster in order and nobody failed, and each primary's replicas follow it. */
    private void awaitOrder() {
        persistence.await(
                "the Cluster is in order",
                () -> nodes.stream()
                        .allMatch(node -> knowsAll(node)
                                && listsAll(node)
                                && Wire.text(ask(node, "CLUSTER", "INFO")).contains("cluster_state:ok")));
        persistence.await(
                "each primary has its replicas",
                () -> primaries().size() == PRIMARIES && primaries().stream().allMatch(this::isReplicated));
    }

    private boolean isReplicated(RedisProcess primary) {
        return Wire.text(ask(primary, "INFO", "replication"))
                        .lines()
                        .filter(line -> line.contains("state=online"))
                        .count()
                == nodes.size() / PRIMARIES - 1;
    }

    /** Whether the node tells a link of every other: for a while it may take a former primary for one without slots. */
    private boolean listsAll(RedisProcess node) {
        return ask(node, "CLUSTER", "SLOTS").stream()
                        .flatMap(range -> ((List<?>) range).stream().skip(2))
                        .map(server -> ((List<?>) server).get(1))
                        .distinct()
                        .count()
                == nodes.size();
    }

    /** Whether the node's table has all nodes, none of them about to be met or failed. */
    private boolean knowsAll(RedisProcess node) {
        List<String> flags = Wire.text(ask(node, "CLUSTER", "NODES"))
                .lines()
                .map(line -> line.split(" ")[2])
                .toList();
        return flags.size() == nodes.size()
                && flags.stream()
                        .noneMatch(
                                flag -> flag.contains("handshake") || flag.contains("noaddr") || flag.contains("fail"));
    }

    private void introduce(RedisProcess node) {
        ask(nodes.getFirst(), "CLUSTER", "MEET", "127.0.0.1", String.valueOf(node.port()));
    }

    private void allowSilence(RedisProcess node, String millis) {
        ask(node, "CONFIG", "SET", "cluster-node-timeout", millis);
    }

    private boolean follows(RedisProcess node, RedisProcess primary) {
        var role = ask(node, "ROLE");
        return role.getFirst().equals("slave") && ((Long) role.get(2)).intValue() == primary.port();
    }

    private String role(RedisProcess node) {
        return Wire.text(ask(node, "ROLE"));
    }

    private String state() {
        var text = new StringBuilder();
        for (RedisProcess node : nodes) {
            text.append(node.address());
            if (node.isRunning()) {
                text.append(" ")
                        .append(Persistence.answer(() -> ask(node, "ROLE")))
                        .append("\n  ")
                        .append(Persistence.answer(() -> Wire.text(ask(node, "CLUSTER", "INFO"))
                                .lines()
                                .limit(7)
                                .toList()))
                        .append("\n")
                        .append(Persistence.answer(() -> Wire.text(ask(node, "CLUSTER", "NODES"))));
            } else {
                text.append(" does not run");
            }
            text.append("\n    ").append(node.log()).append("\n");
        }
        return text.toString();
    }

    private static String[] prepend(String first, String... rest) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(String[]::new);
    }
}
