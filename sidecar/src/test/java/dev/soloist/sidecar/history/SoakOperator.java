package dev.soloist.sidecar.history;

import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView.State;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.coordination.singleton.Deletion;
import dev.soloist.coordination.singleton.Seeding;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.singleton.WatchRequest;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.sidecar.testkit.Jobs;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The operator's part: tells Redis what is wanted at every reconcile, watches, sweeps and reclaims. Two of them may work at once. */
final class SoakOperator implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(300);
    private static final Duration GRACE = Duration.ofSeconds(1);

    final FaultyLink way;
    private final RedisLink link;
    private final CoordinationStore store;
    private final List<SoakWish> wishes;
    private final List<String> pods;
    private final Map<JobId, Repair> repairs = new HashMap<>();
    private final BackgroundLoop loop;

    SoakOperator(
            String name, int redisPort, List<SoakWish> wishes, List<String> pods, Consumer<RuntimeException> trouble) {
        this.way = new FaultyLink(redisPort);
        this.link = RedisLink.open(RedisSettings.of(way.address(), Credentials.NONE, name));
        this.store = new CoordinationStore(link, Install.MAIN);
        this.wishes = wishes;
        this.pods = pods;
        this.loop = new BackgroundLoop(name, this::runOnce, trouble);
    }

    SoakOperator start() {
        loop.start();
        return this;
    }

    CoordinationStore store() {
        return store;
    }

    private Duration runOnce() {
        if (!link.isConnected()) {
            return EVERY;
        }
        try {
            Set<String> names =
                    wishes.stream().map(wish -> wish.job().id().name()).collect(Collectors.toSet());
            for (String pod : pods) {
                store.registrations().assign(Jobs.NAMESPACE, pod, new Assignment("pod-" + pod, true, names));
            }
            for (SoakWish wish : wishes) {
                JobDefinition job = wish.job();
                switch (job.work()) {
                    case SingletonWork work -> singleton(wish, job, work);
                    case DelayedWork work -> queue(job, work);
                    case BroadcastWork _ -> throw new IllegalStateException("the soak asks for no broadcasts");
                }
            }
        } catch (RedisUnavailable e) {
            // The next reconcile tells it again.
        }
        return EVERY;
    }

    private void singleton(SoakWish wish, JobDefinition job, SingletonWork work) {
        var singletons = store.singletons(job.policy().backend());
        if (wish.deleting()) {
            store.registrations().withdraw(job.id());
            if (singletons.delete(job.id(), job.uid()) instanceof Deletion.AfterRun) {
                singletons.watch(job.id(), WatchRequest.of(job.policy(), work, singletons.snapshot(job.id())));
            } else {
                wish.gone(job.uid());
            }
            return;
        }
        long term = wish.term();
        var revision = new SpecRevision(
                job.uid() + "/" + job.generation(), work.schedule().text());
        var first = work.schedule().first(link.clock().now());
        var seeding = singletons.seed(job.id(), job.uid(), term, "mark", first, wish.seeded(), revision);
        switch (seeding) {
            case Seeding.Seeded(var _, long reached) -> wish.seeded(reached);
            case Seeding.Present(var _, var _, String uid) when uid.equals(job.uid()) -> wish.seeded(term);
            case Seeding.Present(var _, var _, String uid) -> {
                // A namesake, or this job before it was made anew and Redis fell back.
                singletons.delete(job.id(), uid);
                return;
            }
            case Seeding.DataLoss _ -> wish.raise(term);
            case Seeding.Gone _ -> wish.gone(job.uid());
            case Seeding.Waiting _ -> {}
        }
        singletons.raiseTerm(job.id(), wish.term());
        singletons.updateSpec(job.id(), revision, first);
        if (job.suspended()) {
            singletons.suspend(job.id());
        } else {
            singletons.resume(job.id(), first);
        }
        store.registrations().publish(job.withTerm(wish.term()));
        singletons.watch(job.id(), WatchRequest.of(job.policy(), work, singletons.snapshot(job.id())));
    }

    private void queue(JobDefinition job, DelayedWork work) {
        store.registrations().publish(job);
        var queue = store.queue(job.id());
        queue.sweepToShared(new SweepRequest(100, work.backoff(), work.maxAttempts()));
        queue.moveShared(500);
        queue.purge();
        var views = store.instances(job.id()).list();
        var living = views.stream()
                .filter(view -> view.state() == State.ACTIVE && view.overFor().isZero())
                .findAny();
        for (var view : views) {
            if (view.state() == State.ACTIVE && !view.overFor().isZero()) {
                store.instances(job.id()).fence(view.id(), new Evidence.LeaseOver(GRACE));
            } else if (view.state() == State.FENCED && living.isPresent()) {
                store.instances(job.id()).adopt(view.id(), living.get().id());
            }
        }
        var step = repairs.get(job.id());
        var begun = step == null || step.isFinished()
                ? Repair.begin(work.visibilityTimeout(), Duration.ofSeconds(60))
                : step;
        repairs.put(job.id(), queue.repair(begun).next());
    }

    @Override
    public void close() {
        loop.close();
        link.close();
        way.close();
    }
}
