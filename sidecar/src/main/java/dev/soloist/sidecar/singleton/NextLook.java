package dev.soloist.sidecar.singleton;

/**
 * When a watchdog is to look again: at its own pace, and at the moment that was asked for. A look before that moment does not put it
 * off, or a lease that ends right after a look would be found a whole pace later. Moments are those of {@link System#nanoTime}.
 * Thread-safe.
 */
final class NextLook {

    private volatile long asked;
    private volatile long next;

    /** The first look is due at once. */
    NextLook(long now) {
        asked = now;
        next = now;
    }

    /** Asks for a look at a moment; the newest knows best when the lease ends. Returns whether that is earlier than planned. */
    boolean ask(long moment) {
        asked = moment;
        if (moment - next < 0) {
            next = moment;
            return true;
        }
        return false;
    }

    /** Notes that somebody has looked and would do so again after that many nanoseconds. */
    void looked(long now, long again) {
        next = now + again;
        // Read afterwards: whoever asks meanwhile has either been seen here, or sees the moment that was set above.
        long moment = asked;
        if (moment - now > 0 && moment - next < 0) {
            next = moment;
        }
    }

    /** Nanoseconds until the next look; none or less when it is due. */
    long left(long now) {
        return next - now;
    }
}
