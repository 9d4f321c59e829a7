package dev.soloist.sidecar.history;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.history.Checker;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.storm.Inspector;
import dev.soloist.coordination.testkit.FakeClock;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.sidecar.history.SoakApp.Mood;
import dev.soloist.sidecar.testkit.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Carries a plan out and checks what happened. Used once. */
final class Soak implements AutoCloseable {

    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final Duration SLOW_LINK = Duration.ofMillis(60);
    private static final Duration LATE = Duration.ofSeconds(40);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(1));

    private final SoakPlan plan;
    private final History history = new History();
    private final SoakRedis redis = new SoakRedis(history);
    private final Timeline time = new Timeline(redis.link());
    private final List<SoakWish> wishes = new ArrayList<>();
    private final List<SoakPod> pods = new ArrayList<>();
    private final List<SoakOperator> operators = new ArrayList<>();
    private final SoakTasks tasks = new SoakTasks(pods, history, time);
    private final SoakLeases leases = new SoakLeases(pods, history, time);
    private final SoakStalls stalls = new SoakStalls(history, time);
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
    private int steps;

    Soak(SoakPlan plan) {
        this.plan = plan;
        for (int i = 0; i < plan.size().jobs(); i++) {
            // Every other one has its lease in the hash of the namespace, beside those of the apps.
            var backend = i % 2 == 0 ? Backend.HASH : Backend.STRING;
            wishes.add(new SoakWish(singleton("report-" + i, Duration.ofMillis(400L + 250L * i), backend)));
        }
        for (int i = 0; i < plan.size().queues(); i++) {
            wishes.add(new SoakWish(queue("mail-" + i)));
        }
        for (int i = 0; i < plan.size().pods(); i++) {
            var pod = new SoakPod("pod-" + i, redis.port(), history, time, clock());
            redis.serves(pod.link);
            pods.add(pod);
        }
        List<String> uids = pods.stream().map(pod -> pod.uid).toList();
        for (int i = 0; i < 2; i++) {
            var operator = new SoakOperator("operator-" + i, redis.port(), wishes, uids, Throwable::printStackTrace);
            redis.serves(operator.way);
            operators.add(operator.start());
        }
        look();
    }

    private static JobDefinition singleton(String name, Duration every, Backend backend) {
        var policy = new LeasePolicy(
                Duration.ofSeconds(3),
                true,
                Duration.ofSeconds(1),
                ReleasePolicy.ON_COMPLETION,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofMillis(300),
                Duration.ofSeconds(20));
        return Jobs.singleton(name, 1, every, policy.with(backend), new Retry(3, BACKOFF));
    }

    private static JobDefinition queue(String name) {
        return Jobs.delayed(
                name, 1, _ -> new DelayedWork(Duration.ofSeconds(2), 30, BACKOFF, 8, OnDuplicate.KEEP_EARLIEST));
    }

    private static Optional<FakeClock> clock() {
        try {
            return Optional.of(new FakeClock(Duration.ZERO));
        } catch (RuntimeException | LinkageError noCompiler) {
            System.err.println("soak: pods keep true clocks, there is no C compiler here");
            return Optional.empty();
        }
    }

    /**
     * What happened.
     *
     * @param events until the check
     * @param violations of the rules
     */
    record Outcome(int steps, List<Event> events, List<String> violations) {

        long runs() {
            return events.stream()
                    .filter(event -> event instanceof Event.AppStarted start
                            && !start.fence().isEmpty())
                    .count();
        }

        long leases() {
            return events.stream()
                    .filter(event -> event instanceof Event.LeaseHeld held && held.first())
                    .count();
        }

        long tasks() {
            return events.stream().filter(Event.Promised.class::isInstance).count();
        }

        /** One line for people and for scripts. */
        String line(long seed) {
            return "soak: seed %d, %d steps, %d runs, %d tasks, %d violations"
                    .formatted(seed, steps, runs(), tasks(), violations.size());
        }
    }

    /** Looks at one job after the other, at moments that have nothing to do with anything. */
    private void look() {
        var jobs = wishes.stream().limit(plan.size().jobs()).map(SoakWish::job).toList();
        var keys = new RedisKeys(Install.MAIN);
        later.scheduleWithFixedDelay(
                () -> {
                    try {
                        for (var job : jobs) {
                            var inspector = new Inspector(
                                    redis.link(), keys, job.policy().backend());
                            history.add(inspector.look(job.id(), time.micros()));
                        }
                    } catch (RedisUnavailable | IllegalStateException away) {
                        // It is restarting.
                    }
                },
                0,
                50,
                TimeUnit.MILLISECONDS);
    }

    /** Carries all steps out, ends all faults, waits until all is well, and checks what happened. */
    Outcome run() throws InterruptedException {
        awaitPods();
        leases.start();
        long begun = System.nanoTime();
        for (SoakStep step : plan.steps()) {
            long left = step.at() - (System.nanoTime() - begun) / 1_000_000;
            if (left > 0) {
                TimeUnit.MILLISECONDS.sleep(left);
            }
            carryOut(step);
            steps++;
        }
        recover();
        leases.close();
        redis.sync();
        List<Event> events = history.events();
        return new Outcome(steps, events, Checker.violations(events));
    }

    private void awaitPods() throws InterruptedException {
        long end = System.nanoTime() + RECOVERY.toNanos();
        while (System.nanoTime() - end < 0
                && !pods.stream().allMatch(pod -> pod.call("GET", "/v1/jobs/mail-0", "", "") == 200)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void carryOut(SoakStep step) throws InterruptedException {
        SoakPod pod = pods.get(step.target() % pods.size());
        SoakWish job = wishes.get(step.target() % plan.size().jobs());
        switch (step.kind()) {
            case KILL -> during(step, pod, pod::kill, pod::restart);
            case FREEZE -> during(step, pod, () -> pod.signal("STOP"), () -> pod.signal("CONT"));
            case CUT -> during(step, pod, () -> pod.breakLink(FaultyLink::cut), pod::mendLink);
            case DELAY -> during(step, pod, () -> pod.breakLink(link -> link.delay(SLOW_LINK)), pod::mendLink);
            case DROP_REPLIES -> during(step, pod, () -> pod.breakLink(FaultyLink::dropReplies), pod::mendLink);
            case DROP_REQUESTS -> during(step, pod, () -> pod.breakLink(FaultyLink::dropRequests), pod::mendLink);
            case CLOCK -> pod.step(Duration.ofMillis(step.amount()));
            case APP_SLOW -> during(step, pod, () -> pod.app.mood(Mood.SLOW), () -> pod.app.mood(Mood.WELL));
            case APP_FAILS -> during(step, pod, () -> pod.app.mood(Mood.FAILING), () -> pod.app.mood(Mood.WELL));
            case APP_HANGS -> during(step, pod, () -> pod.app.mood(Mood.HANGING), () -> pod.app.mood(Mood.WELL));
            case APP_DIES -> during(step, pod, pod.app::die, pod.app::live);
            case SCRIPT_FLUSH -> unlessAway(() -> redis.link().call("SCRIPT", "FLUSH"));
            case RESTART -> {
                redis.restart(Duration.ofMillis(step.amount()));
                wishes.forEach(wish -> wish.raise(wish.term()));
            }
            case FAILOVER -> {
                redis.failOver(() -> history.add(new Event.DataLost(time.micros())));
                wishes.forEach(wish -> wish.raise(wish.term()));
            }
            case TRIGGER ->
                unlessAway(() -> operators
                        .getFirst()
                        .store()
                        .singletons(job.job().policy().backend())
                        .triggerNow(job.job().id(), false));
            case SUSPEND -> during(step, null, () -> job.suspend(true), () -> job.suspend(false));
            case UPDATE -> job.update();
            case DELETE -> job.delete();
            case ENQUEUE -> tasks.enqueue("mail-" + step.target(), step.amount(), plan.seed() + step.at());
            case CANCEL -> tasks.cancel(step.amount(), plan.seed() + step.at());
            case POSTPONE -> tasks.postpone(step.amount(), plan.seed() + step.at());
        }
    }

    private static void unlessAway(Runnable call) {
        try {
            call.run();
        } catch (RedisUnavailable away) {
            // A wish that was not heard.
        }
    }

    /** Breaks something, and mends it later. */
    private void during(SoakStep step, @Nullable SoakPod pod, Runnable fault, Runnable end) {
        long now = time.micros();
        if (pod != null) {
            history.add(new Event.Fault(now, step.kind().name(), pod.uid, now + step.amount() * 1000L));
        }
        fault.run();
        later.schedule(end, step.amount(), TimeUnit.MILLISECONDS);
    }

    private void recover() throws InterruptedException {
        for (SoakPod pod : pods) {
            pod.signal("CONT");
            pod.link.heal();
            pod.app.live();
            pod.app.mood(Mood.WELL);
            pod.restart();
        }
        wishes.forEach(wish -> wish.suspend(false));
        tasks.close();
        long calm = time.micros();
        history.add(new Event.Calm(calm));
        var store = new CoordinationStore(redis.link(), Install.MAIN);
        long end = System.nanoTime() + RECOVERY.toNanos();
        while (System.nanoTime() - end < 0 && !isOver(store, calm)) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
        for (SoakTasks.Known task : tasks.known()) {
            String state = store.queue(Jobs.id(task.job()))
                    .inspect(TaskId.of(task.id()))
                    .map(TaskView::state)
                    .map(Enum::name)
                    .orElse("ABSENT");
            history.add(new Event.Found(time.micros(), Jobs.NAMESPACE + "/" + task.job(), task.id(), state));
        }
        history.add(new Event.End(time.micros(), singletons().toList(), LATE.toMillis()));
    }

    private Stream<String> singletons() {
        return wishes.stream()
                .limit(plan.size().jobs())
                .map(wish -> wish.job().id().toString());
    }

    private boolean isOver(CoordinationStore store, long calm) {
        boolean drained = true;
        for (SoakWish wish : wishes.subList(plan.size().jobs(), wishes.size())) {
            var counts = store.queue(wish.job().id()).counts(List.of());
            drained &= counts.pending() + counts.ready() + counts.inFlight() == 0;
        }
        var again = history.events().stream()
                .filter(event -> event instanceof Event.Granted granted && granted.at() > calm)
                .map(event -> ((Event.Granted) event).job())
                .distinct()
                .count();
        return drained && again == plan.size().jobs();
    }

    @Override
    public void close() {
        later.shutdownNow();
        operators.forEach(SoakOperator::close);
        pods.forEach(SoakPod::close);
        leases.close();
        tasks.close();
        stalls.close();
        redis.close();
    }
}
