package dev.soloist.coordination.link;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the Redis clock, carried forward by the JVM's monotonic clock, so that the pod's own wall clock plays no
 * part. Good enough to choose when to ask; what is due or over is decided by Redis itself. Thread-safe.
 */
public final class RedisClock {

    private record Sample(long redisMillis, long atNanos) {}

    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Sample> sample = new AtomicReference<>();

    /** A clock that has not seen Redis yet. */
    public RedisClock() {
        this(System::nanoTime);
    }

    RedisClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
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
        return sample.get() != null;
    }

    /**
     * Redis' time now, by estimate.
     *
     * @throws RedisUnavailable before the first reading
     */
    public Instant now() {
        Sample last = sample.get();
        if (last == null) {
            throw new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis has not told its time yet");
        }
        return Instant.ofEpochMilli(last.redisMillis).plusNanos(nanoTime.getAsLong() - last.atNanos);
    }

    /** How far the given wall clock reading is ahead of Redis; negative if it is behind. */
    public Duration skewOf(Instant wall) {
        return Duration.between(now(), wall);
    }
}
