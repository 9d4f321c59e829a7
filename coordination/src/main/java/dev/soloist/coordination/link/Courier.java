package dev.soloist.coordination.link;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries commands over one connection, each once, and sorts what comes back. Thread-safe.
 */
final class Courier {

    private final HostAndPort server;
    private final StatefulRedisPubSubConnection<String, byte[]> connection;
    private final Duration patience;
    private final Runnable drop;
    private final AtomicLong silentSince = new AtomicLong();

    /**
     * @param patience with each command
     * @param drop called if this connection will never be of use again
     */
    Courier(
            HostAndPort server,
            StatefulRedisPubSubConnection<String, byte[]> connection,
            Duration patience,
            Runnable drop) {
        this.server = server;
        this.connection = connection;
        this.patience = patience;
        this.drop = drop;
    }

    HostAndPort server() {
        return server;
    }

    StatefulRedisPubSubConnection<String, byte[]> connection() {
        return connection;
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /** Whether the last command was not answered in time. */
    boolean isSilent() {
        return silentSince.get() != 0;
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param asking whether the server is told that it may serve a slot that is moving to it
     * @throws RedisUnavailable if no usable answer came; the command may have been done
     * @throws ScriptFailed if the server answered with an error that is not its condition
     * @throws NoScript if the server does not know the script
     * @throws Redirect if another node of the Cluster is to be asked; nothing was done
     */
    List<Object> send(Request request, boolean asking) {
        long start = System.nanoTime();
        try {
            AsyncCommand<String, byte[], List<Object>> command = request.fresh();
            if (asking) {
                // Both in one write: a command of another thread between them would use up the permission.
                var _ = connection.dispatch(List.of(asking(), command));
            } else {
                var _ = connection.dispatch(command);
            }
            // The client's own timeout fires first; this one is for a client that has stopped.
            List<Object> reply = command.get(patience.toMillis() + 1000, TimeUnit.MILLISECONDS);
            silentSince.set(0);
            return reply == null ? List.of() : reply;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "interrupted while waiting for Redis", e);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            throw sort(e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e, start);
        }
    }

    /**
     * Whether a connection that hears messages can do anything else besides: from the third version of the protocol on. A
     * server may take the wish for it and go on with the second, as Pika does, so it is asked which one it speaks.
     */
    boolean hearsBesides() {
        try {
            List<Object> hello = send(Request.of("HELLO"), false);
            for (int i = 0; i + 1 < hello.size(); i += 2) {
                if (hello.get(i) instanceof byte[] name && "proto".equals(new String(name, US_ASCII))) {
                    return Replies.number(hello.get(i + 1)) >= 3;
                }
            }
            return false;
        } catch (ScriptFailed unknown) {
            return false;
        }
    }

    /** Asks the server for its time and sets the clock by the answer. */
    Instant time(RedisClock clock) {
        long sent = System.nanoTime();
        List<Object> reply = send(Request.of("TIME"), false);
        Instant now =
                Instant.ofEpochSecond(Replies.number(reply.get(0))).plusNanos(1000 * Replies.number(reply.get(1)));
        clock.observe(now, sent, System.nanoTime());
        return now;
    }

    private RuntimeException sort(Throwable cause, long sent) {
        RuntimeException sorted = switch (cause) {
            case RedisNoScriptException _ -> new NoScript();
            default -> {
                Redirect elsewhere = Redirect.read(cause);
                yield elsewhere == null ? ServerErrors.sort(cause) : elsewhere;
            }
        };
        if (sorted instanceof RedisUnavailable unavailable && unavailable.kind() == RedisUnavailable.Kind.TIMEOUT) {
            unanswered(sent);
        } else {
            silentSince.set(0);
        }
        if (ServerErrors.meansWrongServer(cause)) {
            drop.run();
        }
        return sorted;
    }

    /**
     * Every unanswered command stays in memory as long as its connection. One on which nothing is answered any more, a
     * frozen server or a network that drops packets, would fill the heap, and stay silent for long after all is well.
     */
    private void unanswered(long sent) {
        silentSince.compareAndSet(0, sent);
        long first = silentSince.get();
        if (first != 0 && System.nanoTime() - first > patience.multipliedBy(2).toNanos()) {
            silentSince.set(0);
            drop.run();
        }
    }

    private static AsyncCommand<String, byte[], String> asking() {
        return new AsyncCommand<>(new Command<>(
                CommandType.ASKING, new StatusOutput<>(RedisLink.CODEC), new CommandArgs<>(RedisLink.CODEC)));
    }

    /** The server does not know the script. */
    static final class NoScript extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoScript() {
            super("the server does not know the script", null, false, false);
        }
    }
}
