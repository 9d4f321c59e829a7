package dev.soloist.coordination.link;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the Redis clock, carried forward by the JVM's monotonic clock, so that the pod's own wall clock plays no
 * part. Good enough to choose when to ask; what is due or over is decided by Redis itself. Thread-safe.
 */
public final class RedisClock {

    /** A reading: what Redis said, and when by the monotonic clock. */
    record Sample(long redisMillis, long atNanos) {}

    private final LongSupplier nanoTime;
    private final Supplier<@Nullable Sample> newer;
    private final AtomicReference<@Nullable Sample> sample = new AtomicReference<>();

    /** A clock that has not seen Redis yet. */
    public RedisClock() {
        this(System::nanoTime);
    }

    RedisClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.newer = () -> null;
    }

    /** A clock that goes by readings taken elsewhere, and on by the last one while there is none. */
    RedisClock(Supplier<@Nullable Sample> readings) {
        this.nanoTime = System::nanoTime;
        this.newer = readings;
    }

    /**
     * Takes a reading: Redis said this while answering a command.
     *
     * @param redis the time in the answer
     * @param sentNanos {@link System#nanoTime()} before sending; half the round trip is taken for the way back
     * @param receivedNanos the same after receiving
     */
    public void observe(Instant redis, long sentNanos, long receivedNanos) {
        sample.set(new Sample(redis.toEpochMilli(), sentNanos + (receivedNanos - sentNanos) / 2));
    }

    /** Whether there was a reading yet. */
    public boolean isSet() {
        return reading() != null;
    }

    /**
     * Redis' time now, by estimate.
     *
     * @throws RedisUnavailable before the first reading
     */
    public Instant now() {
        Sample last = reading();
        if (last == null) {
            throw new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis has not told its time yet");
        }
        return Instant.ofEpochMilli(last.redisMillis).plusNanos(nanoTime.getAsLong() - last.atNanos);
    }

    @Nullable
    Sample reading() {
        Sample now = newer.get();
        if (now != null) {
            sample.set(now);
        }
        return sample.get();
    }

    /** How far the given wall clock reading is ahead of Redis; negative if it is behind. */
    public Duration skewOf(Instant wall) {
        return Duration.between(now(), wall);
    }
}
