package dev.soloist.coordination.link;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Errands to several servers at the same time, within one limit for all of them: however many are silent, it is waited for
 * them as for one. An errand that is not done by then ends by itself, in its own time, and nobody hears of it.
 */
final class AtOnce {

    private AtOnce() {}

    /**
     * Does all errands.
     *
     * @param errands what to ask of which server; each ends by itself sooner or later
     * @param limit for all of them together
     * @throws RedisUnavailable if the caller is interrupted
     */
    static Answers ask(Map<HostAndPort, Supplier<List<Object>>> errands, Duration limit) {
        var asked = new LinkedHashMap<HostAndPort, CompletableFuture<List<Object>>>();
        errands.forEach((server, errand) -> asked.put(server, CompletableFuture.supplyAsync(errand, task -> {
            var _ = Thread.ofVirtual().name("redis-ask-" + server).start(task);
        })));
        long end = System.nanoTime() + limit.toNanos();
        var replies = new HashMap<HostAndPort, List<Object>>();
        var failures = new HashMap<HostAndPort, RuntimeException>();
        asked.forEach((server, answer) -> {
            try {
                replies.put(server, answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException silent) {
                failures.put(
                        server,
                        new RedisUnavailable(
                                RedisUnavailable.Kind.TIMEOUT,
                                "no answer of " + server + " within " + limit.toMillis() + " ms",
                                silent));
            } catch (ExecutionException failed) {
                failures.put(server, expected(failed));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RedisUnavailable(
                        RedisUnavailable.Kind.DISCONNECTED, "interrupted while waiting for Redis", e);
            }
        });
        return new Answers(replies, failures);
    }

    private static RuntimeException expected(ExecutionException failed) {
        return switch (failed.getCause()) {
            case RedisUnavailable away -> away;
            case ScriptFailed refused -> refused;
            case RuntimeException unexpected -> throw unexpected;
            case null, default -> throw new IllegalStateException(failed);
        };
    }
}
