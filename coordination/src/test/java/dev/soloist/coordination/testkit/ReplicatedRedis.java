package dev.soloist.coordination.testkit;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.RedisLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A primary with replicas, as real processes. Nobody promotes a replica but the test. */
public final class ReplicatedRedis implements AutoCloseable {

    public final RedisProcess primary;
    public final List<RedisProcess> replicas;

    /** All up, and the replicas in step with the primary. */
    public ReplicatedRedis(int replicas, String... primaryOptions) {
        var options = new ArrayList<>(List.of("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"));
        options.addAll(List.of(primaryOptions));
        primary = new RedisProcess(options.toArray(String[]::new)).start();
        this.replicas = IntStream.range(0, replicas)
                .mapToObj(_ -> new RedisProcess("--replicaof", "127.0.0.1 " + primary.port()).start())
                .toList();
        awaitInStep(replicas);
    }

    /** The first of the replicas. */
    public RedisProcess replica() {
        return replicas.getFirst();
    }

    /** Waits until so many replicas are in step with the primary. */
    public void awaitInStep(int count) {
        try (RedisLink link = primary.link()) {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> link.info("replication")
                                    .lines()
                                    .filter(line -> line.startsWith("slave") && line.contains("state=online"))
                                    .count()
                            == count);
        }
    }

    /** Makes a replica a primary, as a failover does; the old primary is not told. */
    public static void promote(RedisProcess replica) {
        try (RedisLink link = replica.link()) {
            link.call("REPLICAOF", "NO", "ONE");
        }
    }

    @Override
    public void close() {
        replicas.forEach(RedisProcess::close);
        primary.close();
    }
}
