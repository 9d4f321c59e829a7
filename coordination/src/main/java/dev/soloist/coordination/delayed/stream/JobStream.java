package dev.soloist.coordination.delayed.stream;

import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.RequestDigest;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of one job: what keeps it in order, and the replay of what was handled. Every call may be repeated; a process
 * that dies in one leaves the rest to the next, by anybody. Thread-safe.
 */
public final class JobStream implements TaskStream {

    private static final Logger LOGGER = LoggerFactory.getLogger(JobStream.class);
    private static final LuaScript CLAIM = LuaScript.load(JobStream.class, "claim.lua", 6, 4);
    private static final LuaScript RETIRE = LuaScript.load(JobStream.class, "retire.lua", 2, 0);
    private static final LuaScript TRIM = LuaScript.load(JobStream.class, "trim.lua", 1, 2);
    private static final LuaScript REPLAY = LuaScript.load(JobStream.class, "replay.lua", 10, 7);
    private static final LuaScript STATE = LuaScript.load(JobStream.class, "state.lua", 2, 1);

    private static final int PAGE = 100;

    /** Entries are read with their payloads: a page of large ones must not stop the server. */
    private static final int REPLAY_PAGE = 20;

    /** Less than one trimming takes away, so that it keeps up. */
    private static final int TRIM_EVERY = 32;

    private static final int MOST_TRIMS = 50;

    /** What was handed out just now is in order, and is not worth a look. */
    private static final Duration LOOKED_AT_FROM = Duration.ofSeconds(1);

    private final ScriptRunner scripts;
    private final StreamKeys keys;
    private final Supplier<QueueLimits> limits;
    private final AtomicInteger untrimmed = new AtomicInteger();
    private final AtomicReference<String> walk = new AtomicReference<>("-");

    /**
     * The stream of a job, which does nothing while that is not the transport.
     *
     * @param limits asked at each call
     */
    public JobStream(ScriptRunner scripts, RedisKeys keys, JobId job, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = new StreamKeys(keys, job);
        this.limits = limits;
    }

    /** The way of a queue's scripts to the engine, on which the stream joins them. */
    public ScriptRunner joining() {
        return scripts.through(engine -> new StreamEngine(engine, keys, this::isUsed));
    }

    /** Whether deliveries go through it now. */
    public boolean isUsed() {
        return limits.get().transport() instanceof Transport.Stream;
    }

    /** So many tasks were handled. Never fails: what is not trimmed now is trimmed later. */
    public void handled(int tasks) {
        if (!isUsed() || untrimmed.addAndGet(tasks) < TRIM_EVERY) {
            return;
        }
        try {
            int trims = Math.ceilDiv(untrimmed.getAndSet(0), TRIM_EVERY);
            for (int i = 0; i < trims && trim() > 0; i++) {}
        } catch (RedisUnavailable unanswered) {
            LOGGER.debug("job {}: the stream is trimmed later: {}", keys.job(), unanswered.getMessage());
        }
    }

    /**
     * Looks at some of the pending entries: takes over those of consumers that are gone, ends those that no record stands
     * for, and then removes the consumers that are gone and have nothing pending.
     *
     * @param instance that takes over; null to leave them where they are, until the visibility of their tasks is over
     */
    public void claim(@Nullable InstanceId instance) {
        if (!isUsed()) {
            return;
        }
        String from = walk.get();
        ScriptReply reply = scripts.run(
                CLAIM, keys.ofClaim(), instance == null ? "" : instance.value(), LOOKED_AT_FROM.toMillis(), from, PAGE);
        walk.compareAndSet(from, reply.text(1));
        scripts.run(RETIRE, keys.ofRetirement());
    }

    /** Drops what was handled and is over the retention or the greatest length, a bounded number per call. */
    public void purge() {
        for (int i = 0; i < MOST_TRIMS && trim() > 0; i++) {}
    }

    private long trim() {
        return switch (limits.get().transport()) {
            case Transport.ReadyList() -> 0;
            case Transport.Stream(Duration retention, long maxLength) ->
                scripts.run(TRIM, List.of(keys.stream()), retention.toMillis(), maxLength)
                        .number(1);
        };
    }

    @Override
    public StreamState state() {
        return told(0);
    }

    @Override
    public StreamState told(long losses) {
        ScriptReply reply = scripts.run(STATE, List.of(keys.stream(), keys.mark()), losses);
        return new StreamState(
                reply.number(1),
                reply.isNil(2) ? null : reply.instant(2),
                reply.number(3),
                (int) reply.number(4),
                reply.number(5),
                reply.isNil(6) ? null : reply.instant(6),
                reply.number(7));
    }

    @Override
    public Replay replay(InstanceId instance, ReplayRequest request) {
        String digest = RequestDigest.of(request.requestKey());
        String from = Long.toString(request.from().toEpochMilli());
        String until =
                request.until() == null ? "" : Long.toString(request.until().toEpochMilli());
        var sum = new Replayed(0, 0, 0, false, request.from());
        while (!from.isEmpty() && !sum.full()) {
            ScriptReply reply = scripts.run(
                    REPLAY,
                    keys.ofReplay(),
                    from,
                    until,
                    digest,
                    REPLAY_PAGE,
                    limits.get().maxDepth(),
                    keys.keys().queueWake(keys.job()),
                    instance.value());
            if (reply.status().equals("FENCED")) {
                return new Replay.Fenced();
            }
            from = reply.text(1);
            until = reply.text(2);
            sum = new Replayed(
                    sum.tasks() + reply.number(3),
                    sum.alive() + reply.number(4),
                    sum.repeated() + reply.number(5),
                    reply.number(6) == 1,
                    Instant.ofEpochMilli(Long.parseLong(until)));
        }
        return sum;
    }
}
