package dev.soloist.coordination.link;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection for scripts that want the same acknowledgement of the same server. Calls that come while one waits for
 * the replicas go together in the next round, with one WAIT for all of them, so that many callers wait two rounds at most
 * and not for each other. The lane has no thread: the caller who gets the lock carries out whatever has gathered.
 */
final class Lane {

    private static final int MOST_AT_ONCE = 100;

    private final Dedicated connections;
    private final Object server;
    private final Durability.Replicated wanted;
    private final CommandObserver observer;
    private final ConcurrentLinkedQueue<LaneCall> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable StatefulRedisConnection<String, byte[]> connection;
    private volatile long usedAt = System.nanoTime();

    Lane(Dedicated connections, Object server, Durability.Replicated wanted, CommandObserver observer) {
        this.connections = connections;
        this.server = server;
        this.wanted = wanted;
        this.observer = observer;
    }

    Acknowledged<@Nullable Object> run(LaneCall call) {
        waiting.add(call);
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            waiting.remove(call);
            Thread.currentThread().interrupt();
            throw new RedisUnavailable(
                    RedisUnavailable.Kind.DISCONNECTED, "interrupted while waiting for Redis' replicas", e);
        }
        try {
            while (!call.isDone()) {
                round(gathered());
            }
        } finally {
            turn.unlock();
        }
        return call.result();
    }

    boolean isConnected() {
        var present = connection;
        return present != null && present.isOpen();
    }

    /** A lane whose policy is no more in use keeps no connection. */
    boolean dropIfUnusedFor(Duration time) {
        boolean unused = System.nanoTime() - usedAt > time.toNanos();
        if (unused) {
            drop();
        }
        return unused;
    }

    void drop() {
        var present = connection;
        connection = null;
        if (present != null) {
            var _ = present.closeAsync();
        }
    }

    private List<LaneCall> gathered() {
        var calls = new ArrayList<LaneCall>();
        LaneCall next;
        while (calls.size() < MOST_AT_ONCE && (next = waiting.poll()) != null) {
            calls.add(next);
        }
        return calls;
    }

    /** Ends every call of the round, well or not. */
    private void round(List<LaneCall> calls) {
        long start = System.nanoTime();
        usedAt = start;
        RedisUnavailable.@Nullable Kind failure = null;
        try {
            var used = connected();
            var written = scripts(used, calls);
            if (!written.isEmpty()) {
                boolean enough = awaitReplicas(used);
                written.forEach(call -> call.acknowledged(enough));
            }
        } catch (RedisUnavailable unanswered) {
            failure = unanswered.kind();
            drop();
            connections.suspect(server);
            fail(calls, unanswered);
        } finally {
            // Nobody may wait for a call that no round will meet again.
            fail(calls, new IllegalStateException("a round ended before its time"));
            observer.ended(Duration.ofNanos(System.nanoTime() - start), failure);
        }
    }

    private static void fail(List<LaneCall> calls, RuntimeException cause) {
        calls.stream().filter(call -> !call.isDone()).forEach(call -> call.failed(cause));
    }

    private StatefulRedisConnection<String, byte[]> connected() {
        var present = connection;
        if (present != null && present.isOpen()) {
            return present;
        }
        try {
            var fresh = connections.open(server);
            connection = fresh;
            return fresh;
        } catch (RuntimeException unreachable) {
            throw unavailable(unreachable);
        }
    }

    /** Sends all scripts at once and takes their answers. Returns those calls whose write has to reach the replicas. */
    private List<LaneCall> scripts(StatefulRedisConnection<String, byte[]> used, List<LaneCall> calls) {
        long deadline = System.nanoTime() + connections.commandTimeout().toNanos();
        var answers = calls.stream().map(call -> call.send(used.async())).toList();
        var written = new ArrayList<LaneCall>();
        for (int i = 0; i < calls.size(); i++) {
            var call = calls.get(i);
            try {
                if (call.answered(answer(used, call, answers.get(i), deadline))) {
                    written.add(call);
                }
            } catch (RuntimeException refused) {
                var sorted = sorted(refused);
                if (sorted instanceof RedisUnavailable unavailable && leavesNoConnection(refused, unavailable)) {
                    throw unavailable;
                }
                if (sorted instanceof RedisUnavailable) {
                    // A slot may have moved: whoever knows the way is to look.
                    connections.suspect(server);
                }
                call.failed(sorted);
            }
        }
        return written;
    }

    private static @Nullable Object answer(
            StatefulRedisConnection<String, byte[]> used, LaneCall call, RedisFuture<Object> first, long deadline) {
        try {
            return await(first, deadline);
        } catch (RedisNoScriptException forgotten) {
            return await(call.sendText(used.async()), deadline);
        }
    }

    private static boolean leavesNoConnection(RuntimeException error, RedisUnavailable sorted) {
        return sorted.kind() == RedisUnavailable.Kind.DISCONNECTED
                || sorted.kind() == RedisUnavailable.Kind.TIMEOUT
                || ServerErrors.meansWrongServer(error);
    }

    /** Whether as many replicas as are wanted have what this very connection wrote. */
    private boolean awaitReplicas(StatefulRedisConnection<String, byte[]> used) {
        long millis = wanted.timeout().toMillis();
        var args = new CommandArgs<>(RedisLink.CODEC).add(wanted.replicas()).add(millis);
        // The server answers after its own time-out, also when nobody acknowledged; ours is for a silent server.
        long deadline = System.nanoTime()
                + wanted.timeout().plus(connections.commandTimeout()).toNanos();
        try {
            var acknowledged = await(
                    used.async().dispatch(CommandType.WAIT, new IntegerOutput<>(RedisLink.CODEC), args), deadline);
            return acknowledged != null && acknowledged >= wanted.replicas();
        } catch (RuntimeException refused) {
            if (isRefusal(refused)) {
                // No WAIT here, or not for us: nothing will ever be acknowledged, however often it is asked.
                return false;
            }
            // Whatever it was, a server turned replica, for instance: there is no number, so the scripts count as
            // unanswered and their callers repeat them.
            throw unavailable(refused);
        }
    }

    /** Anything else, such as a server that has turned replica meanwhile, may be over at the next try. */
    private static boolean isRefusal(RuntimeException error) {
        String message = String.valueOf(error.getMessage());
        return error instanceof RedisCommandExecutionException
                && (message.startsWith("NOPERM") || message.contains("unknown command"));
    }

    private static RedisUnavailable unavailable(RuntimeException error) {
        return sorted(error) instanceof RedisUnavailable sorted
                ? sorted
                : new RedisUnavailable(
                        RedisUnavailable.Kind.REFUSED,
                        "Redis' replicas cannot be waited for: " + error.getMessage(),
                        error);
    }

    private static RuntimeException sorted(RuntimeException error) {
        return error instanceof RedisUnavailable ? error : ServerErrors.sort(error);
    }

    /**
     * Waits without being interrupted, for the round belongs to others, too; the time is bounded. The thread's interrupt is
     * kept for its owner.
     */
    private static <T> @Nullable T await(RedisFuture<T> answer, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException silent) {
                    throw new RedisUnavailable(RedisUnavailable.Kind.TIMEOUT, "Redis did not answer in time", silent);
                } catch (ExecutionException failed) {
                    throw failed.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException(failed.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
