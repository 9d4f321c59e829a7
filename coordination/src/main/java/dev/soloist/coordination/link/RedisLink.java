package dev.soloist.coordination.link;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Redis for commands and messages together (RESP3). It is opened in the background, reconnects for
 * ever with jitter, asks for the settings anew each time, and refuses commands while it is down. A command is sent once:
 * if the connection breaks under it, it fails, and may have been done. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {

    static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    private final Connector connector;
    private final Subscriptions subscriptions;
    private final RedisClock clock = new RedisClock();
    private final AtomicLong silentSince = new AtomicLong();
    private final CommandObserver observer;
    private final ReplicatedLink replicated;

    private RedisLink(Supplier<@Nullable RedisSettings> settings, CommandObserver observer) {
        this.observer = observer;
        this.subscriptions = new Subscriptions();
        this.connector = new Connector(settings, this::connected, subscriptions);
        this.replicated = new ReplicatedLink(connector.dedicated(), observer);
    }

    /**
     * Begins to connect and returns at once, whether Redis is there or not.
     *
     * @param settings asked at every attempt; null means "not known yet, ask again soon"
     */
    public static RedisLink open(Supplier<@Nullable RedisSettings> settings, CommandObserver observer) {
        var link = new RedisLink(settings, observer);
        link.connector.start();
        return link;
    }

    /** As {@link #open(Supplier, CommandObserver)} with settings that never change and nobody observing. */
    public static RedisLink open(RedisSettings settings) {
        return open(() -> settings, CommandObserver.NONE);
    }

    /** Whether there is a connection now; it may be gone in the next moment. */
    public boolean isConnected() {
        return connector.current() != null;
    }

    /**
     * Waits until there is a connection.
     *
     * @return whether there was one within the time
     */
    public boolean awaitConnected(Duration time) throws InterruptedException {
        return connector.await(time);
    }

    /** Why there is no connection, for a condition or a log line; empty while there is one. */
    public String trouble() {
        return connector.trouble();
    }

    /** The way for scripts whose writes have to reach replicas. It opens nothing until it is used, and closes with this link. */
    public ReplicatedLink replicated() {
        return replicated;
    }

    /** The estimate of Redis' clock, read anew at every connect and by {@link #now()}. */
    public RedisClock clock() {
        return clock;
    }

    /**
     * Runs a script by its digest, or by its text if the server does not know it.
     *
     * @return what the script returned: numbers as {@code Long}, texts as {@code byte[]}, arrays as {@code List}
     * @throws RedisUnavailable if no usable answer came; the script may have run
     * @throws ScriptFailed if the script raised an error
     */
    public @Nullable Object eval(String sha, String text, List<String> keys, byte[]... arguments) {
        String[] names = keys.toArray(String[]::new);
        try {
            return send(commands -> commands.<Object>evalsha(sha, ScriptOutputType.MULTI, names, arguments));
        } catch (NoScript e) {
            return send(commands -> commands.<Object>eval(text, ScriptOutputType.MULTI, names, arguments));
        }
    }

    /**
     * Sends any other command.
     *
     * @return the reply's elements, nested as they came; a single value is a list of one
     * @throws RedisUnavailable if no usable answer came
     * @throws ScriptFailed if the server answered with an error that is not its condition
     */
    public List<Object> call(String command, String... arguments) {
        var args = new CommandArgs<>(CODEC);
        for (String argument : arguments) {
            args.add(argument);
        }
        return call(command, args);
    }

    /** As {@link #call(String, String...)}, for arguments that need not be text. */
    public List<Object> callBytes(String command, List<byte[]> arguments) {
        var args = new CommandArgs<>(CODEC);
        for (byte[] argument : arguments) {
            args.add(argument);
        }
        return call(command, args);
    }

    private List<Object> call(String command, CommandArgs<String, byte[]> args) {
        List<Object> reply =
                send(commands -> commands.dispatch(new Word(command), new NestedMultiOutput<>(CODEC), args));
        return reply == null ? List.of() : reply;
    }

    /** One section of INFO, as text. */
    public String info(String section) {
        return new String((byte[]) call("INFO", section).getFirst(), StandardCharsets.UTF_8);
    }

    /** Asks Redis for its time, and sets the {@link #clock()} by the answer. */
    public Instant now() {
        long sent = System.nanoTime();
        List<Object> reply = call("TIME");
        Instant now = Instant.ofEpochSecond(number(reply.get(0))).plusNanos(1000 * number(reply.get(1)));
        clock.observe(now, sent, System.nanoTime());
        return now;
    }

    /**
     * Hears messages on a channel. Messages are hints: one may be lost whenever the connection breaks, so the listener is
     * also called with an empty text after each (re)connect, to look for itself.
     *
     * @param listener called on a client thread: it must only wake somebody
     * @return closing it ends the subscription
     */
    public AutoCloseable subscribe(String channel, Consumer<String> listener) {
        return subscriptions.add(channel, listener);
    }

    /** Calls the listener after every successful connect, and at once if there is a connection; same rules as above. */
    public void onConnected(Runnable listener) {
        subscriptions.onConnected(listener);
        if (isConnected()) {
            listener.run();
        }
    }

    /** Drops the connection and makes a new one with settings asked anew, for instance after a rotated password. */
    public void reconnect() {
        replicated.drop();
        connector.drop();
    }

    /** Closes the connection for good; commands are refused afterwards. */
    @Override
    public void close() {
        replicated.close();
        connector.close();
    }

    private void connected(StatefulRedisPubSubConnection<String, byte[]> connection) {
        try {
            now();
        } catch (RedisUnavailable | ScriptFailed e) {
            connector.drop();
        }
    }

    private <T> T send(Sending<T> sending) {
        StatefulRedisPubSubConnection<String, byte[]> connection = connector.current();
        if (connection == null) {
            throw new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis is not connected: " + trouble());
        }
        long start = System.nanoTime();
        RedisUnavailable.@Nullable Kind failure = null;
        try {
            // The client's own timeout fires first; this one is for a client that has stopped.
            long limit = connector.commandTimeout().toMillis() + 1000;
            T answer = sending.with(connection.async()).get(limit, TimeUnit.MILLISECONDS);
            silentSince.set(0);
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = RedisUnavailable.Kind.DISCONNECTED;
            throw new RedisUnavailable(failure, "interrupted while waiting for Redis", e);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            if (cause instanceof RedisNoScriptException) {
                throw new NoScript();
            }
            if (ServerErrors.meansWrongServer(cause)) {
                connector.drop();
            }
            RuntimeException sorted = ServerErrors.sort(cause);
            if (sorted instanceof RedisUnavailable unavailable) {
                failure = unavailable.kind();
            }
            if (failure == RedisUnavailable.Kind.TIMEOUT) {
                unanswered(connection, start);
            } else {
                silentSince.set(0);
            }
            throw sorted;
        } finally {
            observer.ended(Duration.ofNanos(System.nanoTime() - start), failure);
        }
    }

    /**
     * Every unanswered command stays in memory as long as its connection. One on which nothing is answered any more, a
     * frozen server or a network that drops packets, would fill the heap, and stay silent for long after all is well.
     */
    private void unanswered(StatefulRedisPubSubConnection<String, byte[]> connection, long sent) {
        silentSince.compareAndSet(0, sent);
        long first = silentSince.get();
        long patience = connector.commandTimeout().multipliedBy(2).toNanos();
        if (first != 0 && System.nanoTime() - first > patience && connection.equals(connector.current())) {
            silentSince.set(0);
            connector.drop();
        }
    }

    private static long number(Object element) {
        return element instanceof Long number
                ? number
                : Long.parseLong(new String((byte[]) element, StandardCharsets.UTF_8));
    }

    private interface Sending<T> {
        Future<T> with(RedisPubSubAsyncCommands<String, byte[]> commands);
    }

    private static final class NoScript extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoScript() {
            super("the server does not know the script", null, false, false);
        }
    }

    private record Word(String name) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
