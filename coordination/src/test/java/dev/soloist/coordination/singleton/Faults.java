package dev.soloist.coordination.singleton;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What can happen to a call on its way to Redis and back, by dice. Each actor has dice of its own; not thread-safe. */
final class Faults {

    /** No answer: the call was done, is done later, or never. */
    static final class NoAnswer extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoAnswer(String why) {
            super(why, null, false, false);
        }
    }

    private final Random dice;
    private final CountDownLatch calm;
    private final CountDownLatch end;

    /**
     * Dice.
     *
     * @param calm counted down when faults stop
     * @param end counted down when everybody stops
     */
    Faults(long seed, CountDownLatch calm, CountDownLatch end) {
        this.dice = new Random(seed);
        this.calm = calm;
        this.end = end;
    }

    <T> T call(Supplier<T> call) {
        if (calm.getCount() == 0) {
            return call.get();
        }
        int roll = dice.nextInt(100);
        if (roll < 4) {
            throw new NoAnswer("never sent");
        }
        if (roll < 10) {
            call.get();
            throw new NoAnswer("done, answer lost");
        }
        if (roll < 13) {
            call.get();
            return call.get();
        }
        if (roll < 17) {
            long late = dice.nextInt(900);
            Thread.ofVirtual().start(() -> {
                if (!waitFor(Duration.ofMillis(late))) {
                    call.get();
                }
            });
            throw new NoAnswer("arrives late");
        }
        return call.get();
    }

    boolean happens(int percent) {
        return dice.nextInt(100) < percent;
    }

    /** The same, for faults: none once they have stopped. */
    boolean strikes(int percent) {
        return calm.getCount() > 0 && happens(percent);
    }

    int pick(int bound) {
        return dice.nextInt(bound);
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(Math.max(1, (long) (dice.nextDouble() * most.toNanos())));
    }

    boolean ended() {
        return end.getCount() == 0;
    }

    /** Does nothing for a while; returns whether everybody stops. */
    boolean waitFor(Duration time) {
        try {
            return end.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
