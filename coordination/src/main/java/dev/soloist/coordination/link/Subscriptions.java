package dev.soloist.coordination.link;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who listens to which channel, kept across reconnects. Thread-safe. */
final class Subscriptions extends RedisPubSubAdapter<String, byte[]> {

    private static final Logger LOGGER = LoggerFactory.getLogger(Subscriptions.class);

    private final Map<String, List<Consumer<String>>> listeners = new ConcurrentHashMap<>();
    private final List<Runnable> connectListeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;

    AutoCloseable add(String channel, Consumer<String> listener) {
        listeners.compute(channel, (name, old) -> {
            List<Consumer<String>> list = old == null ? new CopyOnWriteArrayList<>() : old;
            if (list.isEmpty()) {
                sendNow(current -> current.async().subscribe(channel));
            }
            list.add(listener);
            return list;
        });
        return () -> remove(channel, listener);
    }

    private void remove(String channel, Consumer<String> listener) {
        listeners.computeIfPresent(channel, (name, list) -> {
            list.remove(listener);
            if (!list.isEmpty()) {
                return list;
            }
            sendNow(current -> current.async().unsubscribe(channel));
            return null;
        });
    }

    void onConnected(Runnable listener) {
        connectListeners.add(listener);
    }

    /** Takes up a new connection: subscribes to everything and lets everybody look for what was missed. */
    void attach(StatefulRedisPubSubConnection<String, byte[]> fresh) {
        fresh.addListener(this);
        connection = fresh;
        String[] channels = listeners.keySet().toArray(String[]::new);
        if (channels.length > 0) {
            sendNow(current -> current.async().subscribe(channels));
        }
        lookAgain();
    }

    /** Lets everybody look for what was missed. */
    void lookAgain() {
        connectListeners.forEach(Subscriptions::callSafely);
        listeners.values().forEach(list -> list.forEach(listener -> callSafely(() -> listener.accept(""))));
    }

    @Override
    public void message(String channel, byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        listeners.getOrDefault(channel, List.of()).forEach(listener -> callSafely(() -> listener.accept(text)));
    }

    /** What cannot be sent now is sent with everything else at the next connect. */
    private void sendNow(Function<StatefulRedisPubSubConnection<String, byte[]>, RedisFuture<Void>> sending) {
        StatefulRedisPubSubConnection<String, byte[]> current = connection;
        if (current != null && current.isOpen()) {
            callSafely(() -> {
                var _ = sending.apply(current).exceptionally(e -> {
                    LOGGER.warn("a subscription was refused; listeners fall back to their polls: {}", e.toString());
                    return null;
                });
            });
        }
    }

    private static void callSafely(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOGGER.warn("a listener failed; others go on", e);
        }
    }
}
