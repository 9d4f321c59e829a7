package dev.soloist.operator.core;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.Carried;
import dev.soloist.coordination.singleton.Moving;
import java.time.Duration;

/// Takes a singleton job away from where its policy no longer keeps it, and what it knew along: first it leaves, then
/// its
/// event log is copied, then it is seeded in the new place, then it is forgotten in the former one. Each step may be
/// repeated, and whoever dies between two of them leaves the next one to somebody else. Thread-safe.
final class Moves {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Store store;

    Moves(Store store) {
        this.store = store;
    }

    /// Sees to it that the job is nowhere but where its policy keeps it. The last run at its former place goes on under
    /// the definition that sidecars have; if its holder is dead, nobody but a watchdog ends it.
    Departure leave(JobDefinition job, SingletonWork work) {
        for (var place : store.places()) {
            var departure = place == job.policy().backend() ? new Departure.Nothing() : leave(place, job, work);
            if (!(departure instanceof Departure.Nothing)) {
                return departure;
            }
        }
        return new Departure.Nothing();
    }

    private Departure leave(Backend place, JobDefinition job, SingletonWork work) {
        var former = store.singletons(place).logging(job.eventLogLength());
        return switch (former.moveAway(job.id(), job.uid())) {
            case Moving.Away(var carried) when carried.isNothing() -> new Departure.Nothing();
            case Moving.Away(var carried) -> new Departure.Left(place, carried);
            case Moving.AfterRun(var remaining) -> {
                former.watch(job.id(), JobWatchdog.request(job, work, former.snapshot(job.id())));
                yield new Departure.NotYet(
                        new Seeded.Moving(remaining.compareTo(RETRY) < 0 ? remaining.plusMillis(50) : RETRY));
            }
            case Moving.Namesake(var uid) -> new Departure.NotYet(new Seeded.Namesake(uid));
            case Moving.Gone() -> new Departure.NotYet(new Seeded.Ended());
        };
    }

    /// What is to be seeded. The event log is in the new place before a run there can add to it.
    Carried bring(JobDefinition job, Departure departure) {
        if (departure instanceof Departure.Left(var from, var carried)) {
            store.copyRunLog(job, from);
            return carried;
        }
        return Carried.NOTHING;
    }

    /// Once it stands in the new place.
    void forget(JobDefinition job, Departure departure) {
        if (departure instanceof Departure.Left(var from, var carried)) {
            store.singletons(from).forget(job.id(), job.uid(), carried);
        }
    }
}
