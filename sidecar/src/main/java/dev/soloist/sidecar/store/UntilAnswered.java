package dev.soloist.sidecar.store;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Repeats a call whose answer was lost. Only for calls that may be repeated: each of them may have been done. */
public final class UntilAnswered {

    private UntilAnswered() {}

    /**
     * Calls until there is an answer.
     *
     * @param between the waits; each is jittered, for many may have lost their answers at once
     * @param again asked after each failure whether to go on
     * @throws RedisUnavailable the last failure, when it is not to go on
     * @throws InterruptedException if the process ends meanwhile
     */
    public static <T> T call(Supplier<T> call, Backoff between, Predicate<RedisUnavailable> again)
            throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return call.get();
            } catch (RedisUnavailable unanswered) {
                if (!again.test(unanswered)) {
                    throw unanswered;
                }
            }
            Thread.sleep(between.jittered(tries));
        }
    }
}
