package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Misfire;
import dev.soloist.coordination.job.Safety;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.link.RedisClock;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.loop.Signal;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.trigger.App;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One singleton job in this pod: waits until it is due, asks for the lease, runs, and settles the result, all on one loop, so that this
 * pod never has two runs of the job at work. A crash at any point leaves what the protocol allows for: a lease that ends by itself.
 */
public final class SingletonWorker implements JobWorker {

    private static final Logger LOGGER = LoggerFactory.getLogger(SingletonWorker.class);
    private static final Duration DISCONNECTED = Duration.ofSeconds(1);
    private static final Duration LOCKED_BY_HAND = Duration.ofSeconds(1);
    private static final Duration LEASE_IS_OVER = Duration.ofSeconds(1);
    private static final Duration LONGEST_STAND_BACK = Duration.ofSeconds(10);
    private static final Backoff REPLICAS_MISSING = new Backoff(Duration.ofMillis(500), 2, Duration.ofSeconds(5));

    /** More missed slots than these are told as these. */
    private static final int MOST_MISSED = 1000;

    private final Store store;
    private final SingletonStore scripts;
    private final Pod pod;
    private final Pace pace;
    private final Meters meters;
    private final JobMeters jobMeters;
    private final App app;
    private final RedisClock clock;
    private final Claimer claimer;
    private final Settler settler;
    private final Watchdog watchdog;
    private final BackgroundLoop loop;
    private final AutoCloseable subscription;
    private final AtomicReference<@Nullable Run> running = new AtomicReference<>();
    private volatile JobDefinition job;
    private volatile Eligibility eligibility;
    private volatile boolean taking = true;
    private volatile boolean idle = true;
    private final Signal ended = new Signal();
    private volatile boolean podEnds;
    private volatile boolean unsettled;
    private long standBackUntil = System.nanoTime();
    private int absences;
    private int unacknowledgedClaims;

    /** A worker that is not started yet. */
    public SingletonWorker(
            Store store, Pod pod, Pace pace, Meters meters, App app, JobDefinition job, Eligibility eligibility) {
        this.store = store;
        this.scripts = store.data().singletons(job.policy().backend()).logging(() -> this.job.eventLogLength());
        this.pod = pod;
        this.pace = pace;
        this.meters = meters;
        this.jobMeters = meters.job(job.id().name()).ofSingleton();
        this.app = app;
        this.job = job;
        this.eligibility = eligibility;
        // In a Cluster each server has a clock of its own; what counts is that of the one that keeps this job.
        this.clock =
                store.link().clock(store.data().record(job.id(), job.policy().backend()));
        this.claimer = new Claimer(scripts, clock, pod, jobMeters);
        this.settler = new Settler(clock, jobMeters);
        this.watchdog = new Watchdog(store, scripts, pod, pace, meters, app, this::job);
        var name = "singleton-" + job.id().name();
        this.loop = new BackgroundLoop(name, this::runOnce, _ -> meters.loopFailed("singleton"));
        this.subscription = store.link().subscribe(store.data().keys().jobWake(job.id()), this::woken);
    }

    private void woken(String what) {
        loop.wake();
        var run = running.get();
        if (run != null && what.equals("cancel")) {
            run.renewNow();
        }
    }

    @Override
    public JobDefinition job() {
        return job;
    }

    @Override
    public void update(JobDefinition newer, Eligibility now) {
        boolean changed = !newer.equals(job) || now != eligibility;
        job = newer;
        eligibility = now;
        if (changed) {
            loop.wake();
        }
    }

    @Override
    public void start() {
        loop.start();
        watchdog.start();
    }

    /** How the runs of the job ended. */
    public JobLog events() {
        return store.data().runLog(job.id(), job.policy().backend());
    }

    /** The job as Redis has it now. */
    public SingletonSnapshot snapshot() {
        return scripts.snapshot(job.id());
    }

    private Duration runOnce() throws InterruptedException {
        // Before the look at what was asked for: who stops this worker and then finds it idle may rely on that no run
        // begins.
        idle = false;
        try {
            return turn(job);
        } finally {
            idle = true;
            ended.raise();
        }
    }

    private Duration turn(JobDefinition definition) throws InterruptedException {
        if (!store.data().isUsable()) {
            return DISCONNECTED;
        }
        if (!taking
                || definition.suspended()
                || eligibility == Eligibility.NOT_ELIGIBLE
                || isTooDangerous(definition)) {
            claimer.giveUpPending(definition);
            return pace.claim();
        }
        var standBack = Duration.ofNanos(standBackUntil - System.nanoTime());
        if (standBack.isPositive()) {
            return standBack;
        }
        if (absences > 0 && !app.listens(definition.trigger())) {
            // Known to be absent: taking the lease only to give it back would keep it from the others.
            return standBack(new Settlement.GiveBack(Settlement.APP_ABSENT));
        }
        return claimAndRun(definition);
    }

    /** By what this pod itself knows of the store, so also while no operator is there. A run in progress goes on. */
    private boolean isTooDangerous(JobDefinition definition) {
        return definition.policy().safety() == Safety.STRICT
                && store.data().gate().danger().isPresent();
    }

    private Duration claimAndRun(JobDefinition definition) throws InterruptedException {
        var answer = claimer.claim(definition);
        return switch (answer.claim()) {
            case Claim.Claimed _ when answer.lease() == null -> unacknowledged(definition);
            case Claim.Claimed _ -> run(definition, answer);
            case Claim.NotDue(SingletonState state, Duration wait) -> notDue(state, wait);
            case Claim.Busy(Duration remaining) -> soon(Pace.earlier(remaining, LOCKED_BY_HAND));
            case Claim.StaleTerm _, Claim.Spent _ -> soon(Duration.ZERO);
            case Claim.TooLate() -> {
                // Redis' clock is ahead of our estimate, as after a step: the next claim would come too late as well.
                store.link()
                        .now(store.data()
                                .record(definition.id(), definition.policy().backend()));
                yield soon(Duration.ZERO);
            }
            case Claim.TermBehind _ -> pace.claim();
            case Claim.Lost() -> {
                // The lease came and went unseen: the app was never called, so the slot is given back as it was.
                scripts.release(definition.id(), pod.instance(), answer.nonce());
                yield soon(Duration.ZERO);
            }
        };
    }

    private Duration notDue(SingletonState state, Duration wait) {
        if (state != SingletonState.RUNNING) {
            return soon(Pace.earlier(wait, pace.claim()));
        }
        watchdog.lookAfter(wait);
        // A lease that is over is settled by its holder or by a watchdog, and both wake us: asking all the time until
        // then
        // would only burden Redis.
        return soon(Pace.earlier(wait.compareTo(LEASE_IS_OVER) < 0 ? LEASE_IS_OVER : wait, pace.claim()));
    }

    /** Too few replicas have the lease, and it was given back: this pod asks again later and less and less often. */
    private Duration unacknowledged(JobDefinition definition) {
        if (unacknowledgedClaims == 0) {
            LOGGER.warn(
                    "job {}: too few replicas acknowledge a lease (ReplicaAckMissing): no run begins here until they do",
                    definition.id());
        }
        unacknowledgedClaims = Math.min(unacknowledgedClaims + 1, 10);
        var wait = REPLICAS_MISSING.jittered(unacknowledgedClaims);
        standBackUntil = System.nanoTime() + wait.toNanos();
        return wait;
    }

    private Duration run(JobDefinition definition, Claimer.Answer answer) throws InterruptedException {
        if (!(answer.claim() instanceof Claim.Claimed(var grant)) || answer.lease() == null) {
            throw new IllegalStateException("a run needs a grant");
        }
        var lease = new LeaseScripts(
                scripts, definition, pod.instance(), answer.nonce(), grant, jobMeters, meters.renewTimers());
        var work = (SingletonWork) definition.work();
        var missed = work.schedule().missed(grant.scheduledAt(), grant.redisNow(), MOST_MISSED);
        var skipped = missed > 0 && work.misfire() == Misfire.SKIP && grant.attempt() == 1 && !grant.owed();
        var run = new Run(lease, app, answer.lease(), missed);
        unsettled = true;
        unacknowledgedClaims = 0;
        running.set(run);
        jobMeters.leaseHeld(1);
        if (grant.attempt() == 1 && !skipped) {
            jobMeters.runStarted(Duration.between(grant.scheduledAt(), grant.redisNow()));
        }
        LOGGER.info("run {} of job {} begins, attempt {}", lease.runId(), definition.id(), grant.attempt());
        long begun = System.nanoTime();
        try {
            if (podEnds) {
                run.shuttingDown();
            }
            var end = skipped ? new RunEnd.Skipped(missed) : run.execute(clock.now());
            var took = Duration.ofNanos(System.nanoTime() - begun);
            var settlement = settler.settle(lease, work, end, took);
            unsettled = false;
            return standBack(settlement);
        } finally {
            jobMeters.leaseHeld(0);
            running.set(null);
        }
    }

    /** A pod whose app is busy or absent leaves the job to others for a while. */
    private Duration standBack(Settlement settlement) {
        if (!(settlement instanceof Settlement.GiveBack(Duration asked))) {
            absences = 0;
            return Duration.ZERO;
        }
        absences = Math.min(absences + 1, 10);
        var growing = Pace.earlier(Settlement.APP_ABSENT.multipliedBy(1L << absences >> 1), LONGEST_STAND_BACK);
        var wait = asked.compareTo(growing) > 0 ? asked : growing;
        standBackUntil = System.nanoTime() + wait.toNanos();
        return wait;
    }

    /** A little apart from the other pods that wait for the same moment. */
    private static Duration soon(Duration wait) {
        return wait.plusMillis(ThreadLocalRandom.current().nextLong(20));
    }

    @Override
    public void stopTaking(Ending why) {
        taking = false;
        if (why == Ending.POD) {
            podEnds = true;
        }
        var run = running.get();
        if (run != null && podEnds) {
            run.shuttingDown();
        }
        loop.wake();
    }

    @Override
    public void stop(Duration budget) {
        taking = false;
        long end = System.nanoTime() + budget.toNanos();
        var forCancel = Pace.earlier(Duration.ofSeconds(3), budget.dividedBy(3));
        awaitIdle(end - forCancel.toNanos());
        var run = running.get();
        if (run != null) {
            run.stop(StopCause.SHUTDOWN);
            awaitIdle(end);
        }
    }

    @Override
    public void leave() {
        watchdog.close();
        loop.close();
        try {
            subscription.close();
            if (store.data().isUsable()) {
                claimer.giveUpPending(job);
            }
        } catch (Exception unanswered) {
            LOGGER.warn("job {}: a claim may be left; its lease ends by itself: {}", job.id(), unanswered.toString());
        }
    }

    private void awaitIdle(long endNanos) {
        try {
            ended.await(() -> idle, endNanos);
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String leftovers() {
        return !unsettled ? "" : "job " + job.id() + ": a run whose lease ends by itself";
    }
}
