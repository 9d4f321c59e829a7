package dev.soloist.coordination.storm;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.SingletonStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What all actors of one round share. Used by one thread. */
final class World {

    final List<JobId> jobs = List.of(new JobId("shop", "one"), new JobId("shop", "two"), new JobId("shop", "three"));
    final JobId mails = new JobId("shop", "mails");
    final SingletonStore singletons;
    final DelayedQueue queue;
    final Instances instances;
    final Random dice;
    final List<String> tasks = new ArrayList<>();
    /** Runs whose holder is certainly dead. */
    final List<Dead> dead = new ArrayList<>();

    /** What tasks of the queue have to keep to; nothing unless it is set. */
    @Nullable
    Rules rules;

    /** Deduplication, rate limit and delivery, at most once or at least, of a whole storm. */
    record Rules(ReleaseOn releaseOn, RateLimit limit, boolean once) {}

    record Dead(JobId job, InstanceId instance, Fence fence) {}

    private final History history;
    private final RedisLink server;
    private boolean calm;

    World(
            SingletonStore singletons,
            DelayedQueue queue,
            Instances instances,
            Random dice,
            History history,
            RedisLink server) {
        this.singletons = singletons;
        this.queue = queue;
        this.instances = instances;
        this.dice = dice;
        this.history = history;
        this.server = server;
    }

    void note(Event event) {
        history.add(event);
    }

    /**
     * The server's clock, asked of the server itself: whoever makes all calls by one thread knows what was before it and what
     * after, which no estimate tells on a machine that stands still now and then.
     */
    long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, server.now());
    }

    Instant redisNow() {
        return server.now();
    }

    boolean isCalm() {
        return calm;
    }

    void calm() {
        calm = true;
    }

    boolean happens(int percent) {
        return dice.nextInt(100) < percent;
    }

    /** A fault of so many in a thousand; none once they have stopped. */
    boolean strikes(int perMille) {
        return dice.nextInt(1000) < perMille && !calm;
    }

    Duration upTo(int millis) {
        return Duration.ofMillis(dice.nextInt(millis + 1));
    }

    Nonce nonce() {
        return new Nonce("%024x".formatted(dice.nextLong() & Long.MAX_VALUE));
    }

    InstanceId instance(String podUid) {
        var letters = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            letters.append((char) ('a' + dice.nextInt(26)));
        }
        return new InstanceId(podUid + "-" + letters);
    }
}
