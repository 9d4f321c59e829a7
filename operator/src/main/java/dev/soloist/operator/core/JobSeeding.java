package dev.soloist.operator.core;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.Deletion;
import dev.soloist.coordination.singleton.Seeding;
import dev.soloist.coordination.singleton.SpecRevision;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// Brings a job's state in Redis in line with its definition, at every reconcile and whatever Redis holds:
/// after a roll-back it may hold an older wish. Safe with two operators at once. Thread-safe.
public final class JobSeeding {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Store store;
    private final ServerIdentity server;
    private final Moves moves;

    public JobSeeding(Store store) {
        this.store = store;
        this.moves = new Moves(store);
        this.server = new ServerIdentity(store);
    }

    /// Does what is missing, once.
    ///
    /// @param memory what the cluster remembers of the job
    /// @param latest the same, read anew by a call to the cluster. Asked only before state is made where there is
    ///   none: by a view older than a loss it would be made under a term that fences have left behind.
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer; repeat the call
    public Seeded ensure(JobDefinition job, Memory memory, Supplier<Memory> latest) {
        return switch (job.work()) {
            case SingletonWork _ when memory.seeded() == null && !memory.equals(latest.get()) -> new Seeded.Outdated();
            case SingletonWork work -> ensureSingleton(job, work, memory);
            case DelayedWork _ -> {
                store.beginLog(job);
                yield inForce(job, memory);
            }
            case BroadcastWork _ -> inForce(job, memory);
        };
    }

    /// Ends the state of a namesake that was deleted while nobody looked. Its run in progress is asked to stop.
    ///
    /// @return whether it is ended; if not, ask again a little later
    public boolean endNamesake(JobId job, String uid) {
        return store.everywhere().stream().noneMatch(place -> place.delete(job, uid) instanceof Deletion.AfterRun);
    }

    /// Whether a job's state was last brought in line on the very server that answers now, in its present life.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    public boolean isSettledHere(JobId job, Memory memory) {
        var known = Seed.read(memory.seeded());
        return known != null && known.settled() && known.server().equals(server.of(job, known.backend()));
    }

    private Seeded ensureSingleton(JobDefinition job, SingletonWork work, Memory memory) {
        var known = Seed.read(memory.seeded());
        var backend = job.policy().backend();
        Departure departure = new Departure.Nothing();
        if (known == null || (known.backend() != backend && !known.mark().isEmpty())) {
            departure = moves.leave(job, work);
            if (departure instanceof Departure.NotYet(var answer)) {
                return answer;
            }
            if (known != null) {
                return new Seeded.RaiseTerm(
                        new Memory(memory.term() + 1, null), "the LockPolicy keeps the lease in another way");
            }
        }
        var revision = new SpecRevision(
                job.uid() + "/" + job.generation(), work.schedule().text());
        var first = work.schedule().first(store.now(job.id(), backend));
        var identity = server.of(job.id(), backend);
        if (known != null && !known.server().equals(identity)) {
            return raise(memory, new Seed(known.mark(), identity, false), "Redis was restarted or replaced");
        }
        // Under a higher term the job was here before, and a log that outlived its record is its own.
        if (known == null && memory.term() == Memory.NONE.term()) {
            store.beginLog(job);
        }
        // The mark may be missing beside a record that is there: somebody deleted one key.
        var mark = known == null || known.mark().isEmpty() ? Seed.mark(backend) : known.mark();
        var seeding = store.singletons(backend)
                .seed(
                        job.id(),
                        job.uid(),
                        memory.term(),
                        mark,
                        first,
                        known != null,
                        revision,
                        moves.bring(job, departure));
        if (seeding instanceof Seeding.Seeded
                || (seeding instanceof Seeding.Present(var _, var _, var uid) && uid.equals(job.uid()))) {
            moves.forget(job, departure);
        }
        return switch (seeding) {
            case Seeding.Seeded(var _, var term) ->
                settle(job, new Memory(term, new Seed(mark, identity, true).text()), revision, first);
            case Seeding.Present(var _, var found, var uid)
            when uid.equals(job.uid()) ->
                known == null || found.equals(known.mark())
                        ? settle(
                                job, new Memory(memory.term(), new Seed(found, identity, true).text()), revision, first)
                        : raise(
                                memory,
                                new Seed(found, identity, false),
                                "the state in Redis is not the one that was seeded");
            case Seeding.Present(var _, var _, var uid) -> new Seeded.Namesake(uid);
            case Seeding.Waiting() -> new Seeded.Waiting(RETRY);
            case Seeding.Gone() -> new Seeded.Ended();
            // Without a mark the next call seeds as for the first time, under the higher term.
            case Seeding.DataLoss() ->
                new Seeded.RaiseTerm(new Memory(memory.term() + 1, null), "the state in Redis is lost");
        };
    }

    private Seeded settle(JobDefinition job, Memory known, SpecRevision revision, Instant first) {
        var singletons = store.singletons(job);
        // The record is ahead of the cluster's memory when the cluster was restored from a backup, or lost the status.
        var memory = new Memory(singletons.raiseTerm(job.id(), known.term()), known.seeded());
        singletons.updateSpec(job.id(), revision, first);
        if (job.suspended()) {
            singletons.suspend(job.id());
        } else {
            singletons.resume(job.id(), first);
        }
        return inForce(job.withTerm(memory.term()), memory);
    }

    private Seeded inForce(JobDefinition job, Memory memory) {
        store.registrations().publish(job.withTerm(memory.term()));
        return new Seeded.InForce(memory);
    }

    private static Seeded raise(Memory memory, Seed seed, String reason) {
        return new Seeded.RaiseTerm(new Memory(memory.term() + 1, seed.text()), reason);
    }
}
