package dev.soloist.coordination.capability;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Judges by a probe. What the server says about itself is read at each look; the trials are repeated when it is another
 * server, another start of it or another version, when they failed, and every ten minutes. Thread-safe.
 */
public final class ProbingJudge implements Judge {

    private static final Duration TRY_EVERY = Duration.ofMinutes(10);

    private final CapabilityProbe probe;
    private final Supplier<ModeWish> wish;
    private final LongSupplier nanoTime;
    private volatile long triedAt;

    /**
     * A judge.
     *
     * @param wish asked at each look
     */
    public ProbingJudge(CapabilityProbe probe, Supplier<ModeWish> wish) {
        this(probe, wish, System::nanoTime);
    }

    ProbingJudge(CapabilityProbe probe, Supplier<ModeWish> wish, LongSupplier nanoTime) {
        this.probe = probe;
        this.wish = wish;
        this.nanoTime = nanoTime;
    }

    @Override
    public Verdict judge(Verdict former) {
        ServerFacts facts = probe.facts();
        Capabilities seen = former.seen();
        long now = nanoTime.getAsLong();
        boolean fresh = former.mode().data().isPresent() && now - triedAt < TRY_EVERY.toNanos();
        if (fresh && isSame(seen.server(), facts)) {
            seen = seen.with(facts);
        } else {
            seen = probe.probe(facts);
            triedAt = now;
        }
        return new Verdict(ModeRule.decide(seen, wish.get()), seen);
    }

    /** A server that does not tell one life from the next is tried anew at each look. */
    private static boolean isSame(ServerFacts before, ServerFacts now) {
        return !now.life().isEmpty()
                && now.life().equals(before.life())
                && now.version().equals(before.version())
                && now.role().equals(before.role());
    }
}
