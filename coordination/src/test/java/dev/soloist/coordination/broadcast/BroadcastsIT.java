package dev.soloist.coordination.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.event.EventCursor;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.SentinelGroup;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broadcast reaches every listener, once, on every kind of server, and is forgotten at once. */
@Timeout(240)
class BroadcastsIT {

    private static final JobId JOB = new JobId("shop", "cache");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** One pod's listener. */
    private static final class Listener implements AutoCloseable {
        final RedisLink link;
        final List<String> heard = new CopyOnWriteArrayList<>();
        final AutoCloseable listening;

        Listener(RedisLink link, ModeWish wish) {
            this.link = link;
            this.listening = store(link, wish)
                    .broadcasts(JOB)
                    .listen(message -> heard.add(message.map(Broadcast::id).orElse("?") + "="
                            + message.map(one -> new String(one.payload().bytes(), StandardCharsets.UTF_8))
                                    .orElse("?")));
        }

        @Override
        public void close() {
            link.close();
        }
    }

    private static CoordinationStore store(RedisLink link, ModeWish wish) {
        var store = new CoordinationStore(link, Install.MAIN, wish);
        store.gate().look();
        return store;
    }

    private static Broadcast broadcast(String id) {
        return new Broadcast(id, Payload.of(("news ä " + id).getBytes(StandardCharsets.UTF_8), "text/plain"));
    }

    /** Sends until all hear: a subscription takes a moment. Then one broadcast is heard once by each. */
    private static void eachHearsOnce(Broadcasts sender, String name, Listener... listeners) {
        var tries = new ArrayList<String>();
        await().atMost(PATIENCE).until(() -> {
            tries.add(name + "-try-" + tries.size());
            try {
                sender.send(broadcast(tries.getLast()));
            } catch (RedisUnavailable failingOver) {
                return false;
            }
            return List.of(listeners).stream()
                    .allMatch(one -> one.heard.stream().anyMatch(text -> text.startsWith(name)));
        });
        sender.send(broadcast(name + "!"));
        var expected = name + "!=news ä " + name + "!";
        for (var one : listeners) {
            await().atMost(PATIENCE).until(() -> one.heard.contains(expected));
        }
        sender.send(broadcast(name + "-end"));
        for (var one : listeners) {
            await().atMost(PATIENCE).until(() -> one.heard.stream().anyMatch(text -> text.startsWith(name + "-end")));
            assertThat(Collections.frequency(one.heard, expected)).isOne();
        }
    }

    private static void onEach(Supplier<RedisLink> links, ModeWish wish, Runnable failover) {
        try (var link = links.get();
                var a = new Listener(links.get(), wish);
                var b = new Listener(links.get(), wish);
                var c = new Listener(links.get(), wish)) {
            var sender = store(link, wish).broadcasts(JOB);
            eachHearsOnce(sender, "before", a, b, c);
            failover.run();
            eachHearsOnce(sender, "after", a, b, c);
        }
    }

    @Test
    void onOneServerEachListenerHearsABroadcastOnceAndNothingIsKept() {
        try (var redis = new RedisProcess().start()) {
            onEach(redis::link, ModeWish.SCRIPTED, () -> {});
            try (var link = redis.link();
                    var late = new Listener(redis.link(), ModeWish.SCRIPTED)) {
                assertThat(link.call("KEYS", "*")).isEmpty();
                assertThat(late.heard).isEmpty();
            }
        }
    }

    @Test
    void f01_onSentinelsListenersHearAgainAfterAFailover() {
        try (var group = new SentinelGroup(1).start()) {
            onEach(group::link, ModeWish.SCRIPTED, group::killPrimary);
        }
    }

    @Test
    void f08_onAClusterTheNodesPassABroadcastOnAlsoAfterAPrimaryIsKilled() {
        try (var group = new ClusterGroup(1).start()) {
            onEach(
                    group::link,
                    ModeWish.SCRIPTED,
                    () -> group.killPrimary(group.primaries().getFirst()));
            try (var link = group.link()) {
                assertThat(store(link, ModeWish.SCRIPTED).broadcasts(JOB).send(broadcast("x")))
                        .as("no node knows of all listeners")
                        .isEmpty();
            }
        }
    }

    @Test
    void inModeCasThereAreBroadcastsAndThereIsNoEventLog() {
        try (var pika = new PikaStandIn().start()) {
            var cas = ModeWish.atLeast(DataMode.CAS);
            onEach(pika::link, cas, () -> {});
            try (var link = pika.link()) {
                var store = store(link, cas);
                assertThat(store.gate().require()).isEqualTo(DataMode.CAS);
                assertThat(store.runLog(JOB, Backend.STRING).after(EventCursor.START, 10))
                        .isInstanceOf(JobEvents.Off.class);
                assertThat(store.taskLog(JOB).newest(10)).isInstanceOf(JobEvents.Off.class);
            }
        }
    }

    @Test
    void aStoreThatIsRefusedTakesNoBroadcast() {
        try (var pika = new PikaStandIn().start();
                var link = pika.link()) {
            var refused = store(link, ModeWish.SCRIPTED).broadcasts(JOB);

            assertThatThrownBy(() -> refused.send(broadcast("x")))
                    .isInstanceOfSatisfying(
                            RedisUnavailable.class,
                            unsent -> assertThat(unsent.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED));
        }
    }
}
