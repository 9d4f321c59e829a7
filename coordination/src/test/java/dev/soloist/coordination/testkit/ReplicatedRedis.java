package dev.soloist.coordination.testkit;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.link.RedisLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A primary with one replica behind a network of their own, and a second replica behind the first, which is left when the
 * first is promoted. All are real processes, and nobody promotes anything but the test.
 */
public final class ReplicatedRedis implements AutoCloseable {

    public final RedisProcess primary;
    public final RedisProcess replica;

    /** Between primary and replica. */
    public final FaultyLink network;

    private final List<RedisProcess> further = new ArrayList<>();

    /** All up and in step. */
    public ReplicatedRedis() {
        primary = new RedisProcess("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1").start();
        network = new FaultyLink(primary.port());
        replica = replicaOf(network.port());
        awaitInStep(primary, 1);
    }

    /** Puts a replica behind the replica, so that it has one itself when it is promoted. */
    public ReplicatedRedis chained() {
        var last = replicaOf(replica.port());
        further.add(last);
        try (RedisLink first = primary.link();
                RedisLink link = last.link()) {
            first.call("SET", "chained", "1");
            awaitFact(() -> link.call("EXISTS", "chained").equals(List.of(1L)));
        }
        return this;
    }

    private static RedisProcess replicaOf(int port) {
        return new RedisProcess(
                        "--replicaof",
                        "127.0.0.1",
                        String.valueOf(port),
                        "--repl-diskless-sync-delay",
                        "0",
                        "--repl-ping-replica-period",
                        "1")
                .start();
    }

    /** Waits until so many replicas acknowledge what is written to the server. */
    public static void awaitInStep(RedisProcess server, int count) {
        try (RedisLink link = server.link()) {
            awaitFact(() -> {
                link.call("SET", "in-step", "1", "PX", "1");
                return link.call("WAIT", String.valueOf(count), "200").equals(List.of((long) count));
            });
        }
    }

    private static void awaitFact(Callable<Boolean> fact) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(fact);
    }

    /** Makes the replica a primary, as a failover does; the old primary is not told. */
    public void promote() {
        try (RedisLink link = replica.link()) {
            link.call("REPLICAOF", "NO", "ONE");
        }
    }

    @Override
    public void close() {
        network.close();
        further.forEach(RedisProcess::close);
        replica.close();
        primary.close();
    }
}
