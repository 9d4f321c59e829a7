package dev.soloist.coordination.singleton;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The steps of a singleton job, each one atomic script; all time is that of Redis. A step whose answer was lost
 * ({@link dev.soloist.coordination.link.RedisUnavailable}) may have been done: send it again unchanged, each is idempotent,
 * by its nonce where it needs one. {@link dev.soloist.coordination.link.ScriptFailed} is a bug or a tampered key. Thread-safe
 * and without state: a process that dies between two steps leaves a lease that ends by itself and a record that
 * {@link #watch} settles.
 */
public final class SingletonStore {
    private static final int HISTORY = 20;

    private final BackendRunner scripts;
    private final RedisKeys keys;
    private final IntSupplier logLength;

    /** A store over the given runner, for the jobs of one installation. It keeps no event log. */
    public SingletonStore(ScriptRunner scripts, RedisKeys keys) {
        this(scripts, keys, Backend.STRING);
    }

    /** As {@link #SingletonStore(ScriptRunner, RedisKeys)}, for the jobs whose leases are kept in the given way. */
    public SingletonStore(ScriptRunner scripts, RedisKeys keys, Backend backend) {
        this(new BackendRunner(scripts, keys, backend), BackendRunner.keys(keys, backend), () -> 0);
    }

    private SingletonStore(BackendRunner scripts, RedisKeys keys, IntSupplier logLength) {
        this.scripts = scripts;
        this.keys = keys;
        this.logLength = logLength;
    }

    /**
     * The same store, which also notes in the job's event log how each run ends, in the step that ends it. Where the server
     * has no streams nothing is noted, and runs end all the same.
     *
     * @param events kept in the log of a job; 0 notes nothing
     */
    public SingletonStore logging(int events) {
        return logging(() -> events);
    }

    /** As {@link #logging(int)}, with a length that is asked for at each step. */
    public SingletonStore logging(IntSupplier events) {
        return new SingletonStore(scripts, keys, events);
    }

    // What the operator wants.

    /** As {@link #seed(JobId, String, long, String, Instant, boolean, SpecRevision, Carried)}, of a job from nowhere. */
    public Seeding seed(JobId job, String uid, long term, String mark, Instant due, boolean seeded, SpecRevision spec) {
        return seed(job, uid, term, mark, due, seeded, spec, Carried.NOTHING);
    }

    /**
     * Makes the record unless there is one; harmless at every reconcile.
     *
     * @param mark a random id for this data set, kept in the cluster too
     * @param due of the first slot, unless one is carried
     * @param seeded whether the cluster says that this job was seeded before: then a missing record is lost data
     * @param carried what {@link #moveAway} answered in the job's former place
     */
    public Seeding seed(
            JobId job,
            String uid,
            long term,
            String mark,
            Instant due,
            boolean seeded,
            SpecRevision spec,
            Carried carried) {
        List<Object> arguments = new ArrayList<>(List.of(
                uid,
                term,
                mark,
                due.toEpochMilli(),
                seeded ? 1 : 0,
                spec.revision(),
                spec.scheduleText(),
                keys.jobWake(job)));
        arguments.addAll(carried.arguments());
        ScriptReply reply = scripts.run(job, SingletonScripts.SEED, all(job), arguments.toArray());
        return switch (reply.status()) {
            case "SEEDED" -> new Seeding.Seeded(reply.number(1), reply.number(2));
            case "PRESENT" -> new Seeding.Present(state(reply, 1), reply.text(2), reply.text(3));
            case "WAIT" -> new Seeding.Waiting();
            case "GONE" -> new Seeding.Gone();
            case "DATA_LOSS" -> new Seeding.DataLoss();
            default -> throw reply.unknownStatus();
        };
    }

    /**
     * Drops the event log that a deleted namesake has left, if any; call it before the first seed of a job. Does nothing once
     * there is a record of the job, or of a namesake that lives. Not in mode Cas, where there is no log.
     */
    public void beginLog(JobId job, String uid) {
        scripts.run(job, SingletonScripts.BEGIN_LOG, List.of(keys.record(job), keys.log(job)), uid);
    }

    /**
     * Raises the term of the record, if it is lower; raise the cluster's counter first. A run in progress keeps its own.
     *
     * @return the record's term: higher than the one given when the cluster's memory is older than the record; the one given if
     *     there is no record
     */
    public long raiseTerm(JobId job, long term) {
        ScriptReply reply = scripts.run(job, SingletonScripts.TERM, List.of(keys.record(job)), term);
        return switch (reply.status()) {
            case "OK" -> reply.number(1);
            case "ABSENT" -> term;
            default -> throw reply.unknownStatus();
        };
    }

    /** Tells the record of the specification; a changed schedule moves the next slot to {@code due}. */
    public SpecUpdate updateSpec(JobId job, SpecRevision spec, Instant due) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.UPDATE_SPEC,
                tokens(job),
                spec.revision(),
                spec.scheduleText(),
                due.toEpochMilli(),
                keys.jobWake(job));
        return switch (reply.status()) {
            case "UNCHANGED", "ABSENT" -> new SpecUpdate.Unchanged();
            case "UPDATED" -> new SpecUpdate.Updated();
            case "AFTER_RUN" -> new SpecUpdate.AfterRun();
            default -> throw reply.unknownStatus();
        };
    }

    /** Lets no further run start; one in progress goes on. Returns the state after it. */
    public SingletonState suspend(JobId job) {
        return state(scripts.run(job, SingletonScripts.SUSPEND, tokens(job)), 1);
    }

    /** Takes a suspension back; a job that was paused goes on at {@code due}. Returns the state after it. */
    public SingletonState resume(JobId job, Instant due) {
        return state(scripts.run(job, SingletonScripts.RESUME, tokens(job), due.toEpochMilli(), keys.jobWake(job)), 1);
    }

    /** Ends the job of that uid; call it again until it answers {@code Deleted} or {@code Absent}. */
    public Deletion delete(JobId job, String uid) {
        ScriptReply reply = scripts.run(job, SingletonScripts.DELETE, all(job), uid, keys.jobWake(job));
        return switch (reply.status()) {
            case "DELETED" -> new Deletion.Deleted();
            case "AFTER_RUN" -> new Deletion.AfterRun(reply.duration(1));
            case "ABSENT" -> new Deletion.Absent();
            case "OTHER" -> new Deletion.OtherUid(reply.text(1));
            default -> throw reply.unknownStatus();
        };
    }

    /**
     * Leaves the place of the job of that uid, which goes on under another back end: at once when idle, else after the run in
     * progress, which goes on and is the last here. Call it again until it answers {@code Away}; what the job knew is answered
     * until {@link #forget}.
     */
    public Moving moveAway(JobId job, String uid) {
        ScriptReply reply = scripts.run(job, SingletonScripts.MOVE_AWAY, all(job), uid, keys.jobWake(job));
        return switch (reply.status()) {
            case "MOVED" -> new Moving.Away(Carried.read(reply));
            case "ABSENT" -> new Moving.Away(Carried.NOTHING);
            case "AFTER_RUN" -> new Moving.AfterRun(reply.duration(1));
            case "GONE" -> new Moving.Gone();
            case "OTHER" -> new Moving.Namesake(reply.text(1));
            default -> throw reply.unknownStatus();
        };
    }

    /**
     * Forgets here what a job has taken along, its event log too, once it was seeded in its new place. A tombstone with
     * generation, term and fences stays. Does nothing if the job has come back meanwhile, or left once more.
     */
    public void forget(JobId job, String uid, Carried carried) {
        scripts.run(
                job,
                SingletonScripts.FORGET,
                List.of(keys.record(job), keys.history(job), keys.log(job)),
                uid,
                carried.generation());
    }

    /** As {@link #triggerNow(JobId, boolean, String)} for a request that nobody will repeat. */
    public TriggerNow triggerNow(JobId job, boolean force) {
        return triggerNow(job, force, Nonce.create().value());
    }

    /**
     * Makes the job due now, under the lease as ever.
     *
     * @param force whether to go past the hold of the release policy
     * @param request names the wish; the same again is answered alike and makes no second run
     */
    public TriggerNow triggerNow(JobId job, boolean force, String request) {
        ScriptReply reply =
                scripts.run(job, SingletonScripts.TRIGGER_NOW, tokens(job), force ? 1 : 0, request, keys.jobWake(job));
        return switch (reply.status()) {
            case "READY" -> new TriggerNow.Triggered(reply.instant(1));
            case "AFTER_RUN" -> new TriggerNow.AfterRun();
            case "REFUSED" ->
                new TriggerNow.Refused(
                        TriggerNow.Reason.valueOf(reply.text(1)), reply.size() > 2 ? reply.instant(2) : Instant.EPOCH);
            default -> throw reply.unknownStatus();
        };
    }

    // What an instance does.

    /** Makes a slot ready whose moment has come; claiming does so by itself. Returns whether it did. */
    public boolean promote(JobId job) {
        return scripts.run(job, SingletonScripts.PROMOTE, tokens(job), keys.jobWake(job))
                .status()
                .equals("PROMOTED");
    }

    /** As {@link #claim(JobId, ClaimRequest, Durability)} for a lease that counts when the primary has it. */
    public Claim claim(JobId job, ClaimRequest request) {
        return claim(job, request, Durability.LOCAL).answer();
    }

    /**
     * Asks for the lease of a due slot. Send the same request again while an answer is missing.
     *
     * @return a grant that is not acknowledged by enough replicas must not be used: release it, saying so
     */
    public Acknowledged<Claim> claim(JobId job, ClaimRequest request, Durability durability) {
        return scripts.run(
                        job,
                        durability,
                        SingletonStore::isOk,
                        SingletonScripts.CLAIM,
                        List.of(keys.record(job), keys.ready(job), keys.delayed(job), keys.lock(job)),
                        request.term(),
                        request.instance().value(),
                        request.pod(),
                        request.nonce().value(),
                        request.ttl().toMillis(),
                        request.notAfter().toEpochMilli())
                .map(SingletonStore::claimed);
    }

    private static Claim claimed(ScriptReply reply) {
        return switch (reply.status()) {
            case "OK" -> new Claim.Claimed(grant(reply));
            case "EMPTY" -> new Claim.NotDue(state(reply, 1), wait(reply, 2));
            case "BUSY" -> new Claim.Busy(wait(reply, 1));
            case "STALE_TERM" -> new Claim.StaleTerm(reply.number(1));
            case "TERM_BEHIND" -> new Claim.TermBehind(reply.number(1));
            case "TOO_LATE" -> new Claim.TooLate();
            case "SPENT" -> new Claim.Spent();
            case "LOST" -> new Claim.Lost();
            default -> throw reply.unknownStatus();
        };
    }

    /** As {@link #renew(JobId, InstanceId, Nonce, Duration, Durability)} for a lease that counts when the primary has it. */
    public Renewal renew(JobId job, InstanceId instance, Nonce nonce, Duration ttl) {
        return renew(job, instance, nonce, ttl, Durability.LOCAL).answer();
    }

    /**
     * Moves the end of a living lease to {@code ttl} from now.
     *
     * @return a renewal that is not acknowledged by enough replicas must not move what its holder believes of the end
     */
    public Acknowledged<Renewal> renew(
            JobId job, InstanceId instance, Nonce nonce, Duration ttl, Durability durability) {
        return scripts.run(
                        job,
                        durability,
                        SingletonStore::isOk,
                        SingletonScripts.RENEW,
                        List.of(keys.record(job), keys.lock(job)),
                        instance.value(),
                        nonce.value(),
                        ttl.toMillis())
                .map(SingletonStore::renewed);
    }

    private static Renewal renewed(ScriptReply reply) {
        return switch (reply.status()) {
            case "OK" -> new Renewal.Renewed(reply.duration(1), reply.number(2) == 1);
            case "LOST" -> new Renewal.Lost(Renewal.Cause.valueOf(reply.text(1)));
            default -> throw reply.unknownStatus();
        };
    }

    private static boolean isOk(ScriptReply reply) {
        return reply.status().equals("OK");
    }

    /** Ends a run with its result, also one whose lease has lapsed as long as nobody has settled it. */
    public Finishing finish(JobId job, InstanceId instance, Nonce nonce, Fence fence, FinishRequest request) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.FINISH,
                ended(job),
                instance.value(),
                nonce.value(),
                fence.term(),
                fence.sequence(),
                request.result().name(),
                Utf8.cut(request.message(), 512),
                request.nextDue().toEpochMilli(),
                request.retry() ? 1 : 0,
                hold(request.release()),
                request.holdFor().toMillis(),
                keys.jobWake(job),
                logLength.getAsInt(),
                request.cooldown().toMillis());
        return switch (reply.status()) {
            case "OK" -> new Finishing.Finished(state(reply, 1), reply.instant(2));
            case "REPEATED" -> new Finishing.Repeated();
            case "LATE" -> new Finishing.Late();
            default -> throw reply.unknownStatus();
        };
    }

    /** Gives the lease back before the run is done, or gives up a claim whose answer is missing. */
    public Releasing release(JobId job, InstanceId instance, Nonce nonce) {
        return release(job, instance, nonce, "RUN");
    }

    /**
     * Gives a run back that has begun, for another pod to do it. However long it went on, its slot is none that was
     * missed.
     */
    public Releasing interrupt(JobId job, InstanceId instance, Nonce nonce) {
        return release(job, instance, nonce, "INTERRUPTED");
    }

    /**
     * Gives back a lease that no run has used, because too few replicas acknowledged it. It stands in no history; the record
     * tells when it happened last, until a run ends.
     */
    public Releasing releaseUnacknowledged(JobId job, InstanceId instance, Nonce nonce) {
        return release(job, instance, nonce, "UNACKNOWLEDGED");
    }

    private Releasing release(JobId job, InstanceId instance, Nonce nonce, String what) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.RELEASE,
                ended(job),
                instance.value(),
                nonce.value(),
                keys.jobWake(job),
                what,
                logLength.getAsInt());
        return switch (reply.status()) {
            case "RELEASED" -> new Releasing.Released(state(reply, 1));
            case "SPENT" -> new Releasing.SpentOnly();
            default -> throw reply.unknownStatus();
        };
    }

    // What a watchdog does; any number of them may, at any time.

    /** Looks at the job and mends what it finds in the same step. */
    public Watch watch(JobId job, WatchRequest request) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.WATCH,
                ended(job),
                request.grace().toMillis(),
                request.policy().name(),
                request.nextDue().toEpochMilli(),
                request.backoff().initial().toMillis(),
                Math.round(request.backoff().factor() * 1000),
                request.backoff().max().toMillis(),
                request.maxMisses(),
                keys.jobWake(job),
                logLength.getAsInt(),
                request.cooldown().toMillis());
        if (reply.status().equals("ABANDONED")) {
            return new Watch.Abandoned(
                    new InstanceId(reply.text(1)),
                    reply.text(2),
                    new Fence(reply.number(3), reply.number(4)),
                    state(reply, 5));
        }
        return new Watch.Seen(WatchVerdict.valueOf(reply.status()));
    }

    /**
     * Ends the run of an instance that is proven dead. Never call it on suspicion: a holder that lives goes on until its next
     * renewal. Of the request it uses policy, next slot, misses and cooldown.
     */
    public Reclaim reclaim(JobId job, InstanceId dead, Fence fence, WatchRequest request) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.RECLAIM,
                ended(job),
                dead.value(),
                fence.term(),
                fence.sequence(),
                request.policy().name(),
                request.nextDue().toEpochMilli(),
                request.maxMisses(),
                keys.jobWake(job),
                logLength.getAsInt(),
                request.cooldown().toMillis());
        return switch (reply.status()) {
            case "RECLAIMED" -> new Reclaim.Reclaimed(state(reply, 1));
            case "NOT_HELD" -> new Reclaim.NotHeld();
            default -> throw reply.unknownStatus();
        };
    }

    // What a person wishes.

    /** Looks for a lock that fits no run of the record. */
    public Unlocking foreignLock(JobId job) {
        return unlock(job, "", 0);
    }

    /**
     * Removes a lock that fits no run, if it is still the one that was seen; the lease of a run in progress is never taken.
     *
     * @param seen what {@link #foreignLock} found
     * @param term that the next claims are to carry, already kept in the cluster
     */
    public Unlocking unlock(JobId job, String seen, long term) {
        ScriptReply reply = scripts.run(
                job, SingletonScripts.UNLOCK, List.of(keys.record(job), keys.lock(job)), seen, term, keys.jobWake(job));
        return switch (reply.status()) {
            case "NONE" -> new Unlocking.NoLock();
            case "OWNED" -> new Unlocking.Owned();
            case "FOREIGN" -> new Unlocking.Foreign(reply.text(1));
            case "UNLOCKED" -> new Unlocking.Unlocked();
            default -> throw reply.unknownStatus();
        };
    }

    // What anybody may read.

    /** The job without its history. */
    public SingletonSnapshot snapshot(JobId job) {
        return snapshot(job, 0);
    }

    /** The job with its newest runs, at most 20. */
    public SingletonSnapshot snapshot(JobId job, int history) {
        ScriptReply reply = scripts.run(
                job,
                SingletonScripts.SNAPSHOT,
                List.of(keys.record(job), keys.lock(job), keys.history(job), keys.mark(job)),
                Math.clamp(history, 0, HISTORY));
        return new SnapshotReply(reply).read();
    }

    /** The newest runs, newest first, at most 20. */
    public List<RunSummary> history(JobId job) {
        return snapshot(job, HISTORY).history();
    }

    private List<String> tokens(JobId job) {
        return List.of(keys.record(job), keys.ready(job), keys.delayed(job));
    }

    private List<String> all(JobId job) {
        return List.of(
                keys.record(job),
                keys.ready(job),
                keys.delayed(job),
                keys.lock(job),
                keys.history(job),
                keys.mark(job));
    }

    private List<String> ended(JobId job) {
        return Stream.concat(all(job).stream(), Stream.of(keys.log(job))).toList();
    }

    private static Grant grant(ScriptReply reply) {
        return new Grant(
                reply.number(1),
                new Fence(reply.number(2), reply.number(3)),
                reply.duration(4),
                Math.toIntExact(reply.number(5)),
                reply.instant(6),
                reply.instant(7),
                reply.number(8) == 1,
                // The former version does not say.
                reply.size() > 9 && reply.number(9) == 1);
    }

    private static Duration wait(ScriptReply reply, int index) {
        return reply.number(index) < 0 ? Claim.UNTIL_WOKEN : reply.duration(index);
    }

    private static SingletonState state(ScriptReply reply, int index) {
        return SingletonState.valueOf(reply.text(index));
    }

    private static String hold(ReleasePolicy policy) {
        return switch (policy) {
            case ON_COMPLETION -> "NONE";
            case HOLD_UNTIL_NEXT_RUN -> "NEXT";
            case HOLD_FOR -> "FOR";
        };
    }
}
