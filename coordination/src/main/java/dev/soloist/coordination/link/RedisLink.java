package dev.soloist.coordination.link;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The link to a store, for commands and messages together (RESP3). It is opened in the background, reconnects for ever
 * with jitter, follows the primary, follows the settings, and refuses commands while it is down. A command is sent once:
 * if the connection breaks under it, it fails, and may have been done. Thread-safe.
 *
 * <p>When the settings change, a new connection is made beside the old one, which goes on until the new one is there and
 * nothing is under way on the old one. Settings that are missing or wrong never take the place of good ones: the link
 * goes on with the last that could be read, and {@link #complaint()} says what is wrong.
 */
public final class RedisLink implements AutoCloseable {

    static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    private final Follower follower;
    private final CommandObserver observer;
    private final ReplicatedLink replicated;
    private final RedisClock clock;

    private RedisLink(Supplier<? extends StoreSettings> settings, CommandObserver observer) {
        this.observer = observer;
        this.follower = new Follower(settings);
        this.clock = new RedisClock(() -> follower.clock(null));
        this.replicated = new ReplicatedLink(new DedicatedConnections(follower), observer);
    }

    /**
     * Begins to connect and returns at once, whether Redis is there or not.
     *
     * @param settings asked every two seconds and after every failed attempt
     */
    public static RedisLink open(Supplier<? extends StoreSettings> settings, CommandObserver observer) {
        var link = new RedisLink(settings, observer);
        link.follower.start();
        return link;
    }

    /** As {@link #open(Supplier, CommandObserver)} with settings that never change and nobody observing. */
    public static RedisLink open(RedisSettings settings) {
        return open(() -> settings, CommandObserver.NONE);
    }

    /** Whether there is a connection now, in a Cluster to one server at least; it may be gone in the next moment. */
    public boolean isConnected() {
        return follower.isConnected();
    }

    /**
     * Waits until there is a connection, messages are heard and the clock is read; in a Cluster, until that is so for
     * every server that can be reached.
     *
     * @return whether it was so within the time
     */
    public boolean awaitConnected(Duration time) throws InterruptedException {
        return follower.await(time);
    }

    /** Why there is no connection, for a condition or a log line; empty while there is one. */
    public String trouble() {
        return follower.trouble();
    }

    /** The way for scripts whose writes have to reach replicas. It opens nothing until it is used, and closes with this link. */
    public ReplicatedLink replicated() {
        return replicated;
    }

    /** What is missing or wrong in the settings, a sentence; empty if they are good. The link may still be connected. */
    public String complaint() {
        return follower.complaint();
    }

    /** The settings that are in use, whether they lead to a connection or not; null before there were any. */
    public @Nullable RedisSettings settings() {
        return follower.settings();
    }

    /** How the servers are arranged; null before there were settings. */
    public @Nullable Topology topology() {
        RedisSettings settings = follower.settings();
        return settings == null ? null : settings.topology();
    }

    /** The estimate of Redis' clock, read anew at every connect, every 10 s and by {@link #now()}; in a Cluster any server's. */
    public RedisClock clock() {
        return clock;
    }

    /** The estimate of the clock of the server in charge of a key: in a Cluster each has its own. */
    public RedisClock clock(String key) {
        return new RedisClock(() -> follower.clock(key));
    }

    /**
     * Runs a script by its digest, or by its text if the server does not know it.
     *
     * @return what the script returned: numbers as {@code Long}, texts as {@code byte[]}, arrays as {@code List}
     * @throws RedisUnavailable if no usable answer came; the script may have run
     * @throws ScriptFailed if the script raised an error
     */
    public @Nullable Object eval(String sha, String text, List<String> keys, byte[]... arguments) {
        try {
            return send(Request.evalsha(sha, keys, arguments));
        } catch (Courier.NoScript e) {
            return send(Request.eval(text, keys, arguments));
        }
    }

    /**
     * Sends any other command; in a Cluster, to the server in charge of its first key, or to any if it has none.
     *
     * @return the reply's elements, nested as they came; a single value is a list of one
     * @throws RedisUnavailable if no usable answer came
     * @throws ScriptFailed if the server answered with an error that is not its condition
     */
    public List<Object> call(String command, String... arguments) {
        return send(Request.of(command, arguments));
    }

    /** As {@link #call(String, String...)}, for arguments that need not be text. */
    public List<Object> callBytes(String command, List<byte[]> arguments) {
        return send(Request.ofBytes(command, arguments));
    }

    /**
     * Sends a command to every server at the same time: in a Cluster to all primaries and replicas, with Sentinels to the
     * primary and its replicas, else to the one there is. However many are silent, it takes no longer than with one: twice
     * the command timeout.
     *
     * @throws RedisUnavailable if there is no connection at all, or, but in a Cluster, if the primary did not do it
     */
    public Answers callEverywhere(String command, String... arguments) {
        return follower.call(servers -> servers.everywhere(() -> Request.of(command, arguments)));
    }

    /** One section of INFO of any server, as text. */
    public String info(String section) {
        return Replies.text(call("INFO", section).getFirst());
    }

    /** One section of INFO of the server in charge of a key, as text. */
    public String info(String section, String key) {
        return Replies.text(send(Request.of("INFO", section).by(key)).getFirst());
    }

    /** Asks Redis for its time, in a Cluster any server, and sets the {@link #clock()} by the answer. */
    public Instant now() {
        return observed(servers -> servers.time(null));
    }

    /** Asks the server in charge of a key for its time, and sets the {@link #clock(String)} by the answer. */
    public Instant now(String key) {
        return observed(servers -> servers.time(key));
    }

    /**
     * Hears messages on a channel. Messages are hints: one may be lost whenever the connection breaks, so the listener is
     * also called with an empty text after each (re)connect, to look for itself.
     *
     * @param listener called on a client thread: it must only wake somebody
     * @return closing it ends the subscription
     */
    public AutoCloseable subscribe(String channel, Consumer<String> listener) {
        return follower.subscriptions().add(channel, listener);
    }

    /** Calls the listener after every successful connect, and at once if there is a connection; same rules as above. */
    public void onConnected(Runnable listener) {
        follower.subscriptions().onConnected(listener);
        if (isConnected()) {
            listener.run();
        }
    }

    /** Closes all connections for good; commands are refused afterwards. */
    @Override
    public void close() {
        replicated.close();
        follower.close();
    }

    private List<Object> send(Request request) {
        return observed(servers -> servers.send(request));
    }

    private <T> T observed(Function<Servers, T> call) {
        long start = System.nanoTime();
        RedisUnavailable.@Nullable Kind failure = null;
        try {
            return follower.call(call);
        } catch (RedisUnavailable unavailable) {
            failure = unavailable.kind();
            throw unavailable;
        } finally {
            observer.ended(Duration.ofNanos(System.nanoTime() - start), failure);
        }
    }
}
