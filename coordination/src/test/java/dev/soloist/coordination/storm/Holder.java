package dev.soloist.coordination.storm;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Claims, works, renews and finishes as a sidecar must, and freezes, forgets and dies as a sidecar may. */
final class Holder implements Actor {

    static final Duration TTL = Duration.ofMillis(25);
    private static final Duration MARGIN = Duration.ofMillis(2);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(45);
    private static final int TRIES = 4;

    private enum Phase {
        IDLE,
        CLAIMING,
        HOLDING,
        FINISHING,
        RELEASING
    }

    private final World world;
    private final String pod;
    private final Map<JobId, Long> terms = new HashMap<>();
    private InstanceId instance;
    private Phase phase = Phase.IDLE;
    private JobId job;
    private Nonce nonce;
    private Instant notAfter = Instant.EPOCH;
    private @Nullable Grant grant;
    private RunResult result = RunResult.SUCCEEDED;
    private int tries;
    private boolean begun;
    private boolean sending;
    private long frozenUntil = System.nanoTime();
    private long from;
    private long deadline;
    private long done;
    private long renewAt;

    Holder(World world, String pod) {
        this.world = world;
        this.pod = pod;
        this.instance = world.instance(pod);
        this.job = world.jobs.getFirst();
        this.nonce = world.nonce();
    }

    @Override
    public void step() {
        if (System.nanoTime() - frozenUntil < 0) {
            return;
        }
        switch (phase) {
            case IDLE -> {
                job = world.jobs.get(world.dice.nextInt(world.jobs.size()));
                nonce = world.nonce();
                notAfter = world.redisNow().plus(COMMAND_TIMEOUT);
                tries = 0;
                phase = Phase.CLAIMING;
                claim();
            }
            case CLAIMING -> claim();
            case HOLDING -> hold();
            case FINISHING -> finish();
            case RELEASING -> {
                phase = Phase.IDLE;
                world.singletons.release(job, instance, nonce);
            }
        }
    }

    private void claim() {
        if (++tries > TRIES || (tries > 1 && world.happens(15))) {
            phase = Phase.RELEASING;
            return;
        }
        var request = new ClaimRequest(terms.getOrDefault(job, 1L), instance, pod, nonce, TTL, notAfter);
        long sent = System.nanoTime();
        switch (world.singletons.claim(job, request)) {
            case Claim.Claimed(Grant given) -> {
                grant = given;
                begun = false;
                sending = false;
                deadline = sent + given.remaining().minus(MARGIN).toNanos();
                done = sent + world.upTo(world.happens(40) ? 3 : 35).toNanos();
                renewAt = sent + TTL.dividedBy(3).toNanos();
                phase = Phase.HOLDING;
                freeze(40);
            }
            case Claim.StaleTerm(long current) -> terms.put(job, current);
            case Claim.Lost _ -> phase = Phase.RELEASING;
            case Claim.TermBehind _, Claim.NotDue _, Claim.Busy _, Claim.TooLate _, Claim.Spent _ -> phase = Phase.IDLE;
        }
    }

    private void hold() {
        if (sending) {
            // It froze after it had looked at its clock, and before the call was out.
            sending = false;
            renew();
            return;
        }
        long now = System.nanoTime();
        boolean valid = deadline - now > 0;
        if (!begun) {
            begun = true;
            from = now;
        }
        if (!valid) {
            stopped(RunResult.ABORTED);
        } else if (now - done >= 0) {
            stopped(world.happens(80) ? RunResult.SUCCEEDED : RunResult.FAILED);
        } else if (world.strikes(4)) {
            // The process dies; another one takes its place in the pod.
            stopped(RunResult.ABORTED);
            world.dead.add(
                    new World.Dead(job, instance, Objects.requireNonNull(grant).fence()));
            instance = world.instance(pod);
            phase = Phase.IDLE;
        } else if (freeze(8)) {
            sending = world.happens(50);
        } else if (now - renewAt >= 0) {
            renew();
        }
    }

    private boolean freeze(int perMille) {
        boolean strikes = world.strikes(perMille);
        if (strikes) {
            frozenUntil = System.nanoTime() + world.upTo(80).toNanos();
        }
        return strikes;
    }

    private void renew() {
        long sent = System.nanoTime();
        Renewal renewal = world.singletons.renew(job, instance, nonce, TTL);
        renewAt = sent + TTL.dividedBy(3).toNanos();
        if (renewal instanceof Renewal.Renewed(Duration remaining, boolean cancel) && !cancel) {
            deadline = sent + remaining.minus(MARGIN).toNanos();
        } else {
            stopped(RunResult.ABORTED);
        }
    }

    /** The run is over here, at the latest when its own deadline was. */
    private void stopped(RunResult how) {
        long now = System.nanoTime();
        long until = deadline - now < 0 ? deadline : now;
        if (until - from > 0) {
            String fence = Objects.requireNonNull(grant).fence().toString();
            world.note(new Event.Believed(world.micros(), job.toString(), instance.value(), fence, from, until));
        }
        result = how;
        tries = 0;
        phase = world.happens(7) ? Phase.RELEASING : Phase.FINISHING;
        freeze(60);
    }

    private void finish() {
        if (++tries > TRIES || world.strikes(20)) {
            phase = Phase.IDLE;
            return;
        }
        Grant given = Objects.requireNonNull(grant);
        var request = new FinishRequest(
                result,
                "",
                world.redisNow().plus(world.upTo(12)),
                result == RunResult.FAILED && given.attempt() < 3,
                ReleasePolicy.values()[world.dice.nextInt(3)],
                Duration.ofMillis(10));
        world.singletons.finish(job, instance, nonce, given.fence(), request);
        phase = Phase.IDLE;
    }
}
