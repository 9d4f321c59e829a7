package dev.soloist.sidecar.metrics;

import dev.soloist.coordination.delayed.stream.StreamState;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The meters of one job. Counters begin at zero when the job is met, so that a first failure shows as a rise. Thread-safe. */
public final class JobMeters {

    /** Not {@code job}: a scrape has a label of that name and would rename ours to {@code exported_job}. */
    static final String LABEL = "djob";

    private final Meters meters;
    private final String job;
    private final AtomicInteger leaseHeld = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Map<String, AtomicLong> depths = new ConcurrentHashMap<>();
    private final AtomicLong oldestOverdueMillis = new AtomicLong();

    JobMeters(Meters meters, String job) {
        this.meters = meters;
        this.job = job;
    }

    /** Registers what a singleton job shows from its first moment. */
    public JobMeters ofSingleton() {
        meters.gauge("soloist.lease.held", tags(), leaseHeld, AtomicInteger::get);
        List.of("succeeded", "failed", "aborted", "givenBack", "skipped")
                .forEach(result -> count("soloist.runs", "result", result, 0));
        List.of("record", "lease", "deadline").forEach(cause -> count("soloist.lease.lost", "cause", cause, 0));
        List.of("renewed", "unacknowledged", "lost", "error")
                .forEach(result -> count("soloist.renewals", "result", result, 0));
        List.of("claimed", "unacknowledged", "refused", "error")
                .forEach(result -> count("soloist.claims", "result", result, 0));
        List.of("ok", "wait", "promoted", "lostToken", "abandoned", "corrupt", "absent")
                .forEach(verdict -> count("soloist.watch.verdicts", "verdict", verdict, 0));
        timer("soloist.run.duration");
        timer("soloist.run.lateness");
        return this;
    }

    /** Registers what a delayed job shows from its first moment. */
    public JobMeters ofDelayed() {
        meters.gauge("soloist.tasks.in.flight", tags(), inFlight, AtomicInteger::get);
        List.of("created", "kept", "moved", "replaced", "duplicate", "refused", "unacknowledged", "unanswered")
                .forEach(outcome -> count("soloist.tasks.enqueued", "outcome", outcome, 0));
        List.of("acked", "retried", "dead", "givenBack", "cancelled", "dropped", "stale")
                .forEach(result -> count("soloist.tasks.delivered", "result", result, 0));
        List.of("requeued", "discarded", "purged")
                .forEach(action -> count("soloist.dead.letters", "action", action, 0));
        List.of("tasks", "empty", "closed").forEach(result -> count("soloist.reservations", "result", result, 0));
        List.of("cache", "store").forEach(by -> count("soloist.duplicates.known", "by", by, 0));
        List.of("pending", "ready", "inFlight", "dead").forEach(state -> depth(state, 0));
        meters.secondsGauge(
                "soloist.queue.oldest.overdue", tags(), oldestOverdueMillis, millis -> millis.get() / 1000.0);
        meters.counter("soloist.tasks.moved", LABEL, job);
        meters.counter("soloist.tasks.replayed", LABEL, job);
        List.of("entries", "consumers", "losses").forEach(what -> streamed(what, 0));
        meters.counter("soloist.adopted.segments", LABEL, job);
        meters.counter("soloist.fenced", LABEL, job);
        timer("soloist.task.duration");
        timer("soloist.task.lateness");
        return this;
    }

    /** Registers what a broadcast job shows from its first moment. */
    public JobMeters ofBroadcast() {
        List.of("sent", "error").forEach(outcome -> count("soloist.broadcasts.sent", "outcome", outcome, 0));
        List.of("delivered", "failed", "dropped", "skipped", "repeated", "unreadable")
                .forEach(result -> count("soloist.broadcasts.received", "result", result, 0));
        timer("soloist.broadcast.duration");
        return this;
    }

    /** A broadcast was sent for the app, or it is not known whether it was. */
    public void broadcastSent(String outcome) {
        count("soloist.broadcasts.sent", "outcome", outcome, 1);
    }

    /** A broadcast came in, and one of the documented results came of it. */
    public void broadcastReceived(String result) {
        count("soloist.broadcasts.received", "result", result, 1);
    }

    /** A broadcast was handed to the app, which took so long over it. */
    public void broadcastHandled(Duration took) {
        timer("soloist.broadcast.duration").record(took);
    }

    /** A run ended here with one of the documented results. */
    public void runEnded(String result, Duration took) {
        count("soloist.runs", "result", result, 1);
        timer("soloist.run.duration").record(took);
    }

    /** A slot was begun so long after its moment. */
    public void runStarted(Duration lateness) {
        timer("soloist.run.lateness").record(positive(lateness));
    }

    /** 1 while this sidecar holds the lease, else 0. */
    public void leaseHeld(int held) {
        leaseHeld.set(held);
    }

    /** A lease was lost in mid-run. */
    public void leaseLost(String cause) {
        count("soloist.lease.lost", "cause", cause, 1);
    }

    /** A renewal was answered or failed. */
    public void renewal(String result) {
        count("soloist.renewals", "result", result, 1);
    }

    /** A claim was answered or failed. */
    public void claim(String result) {
        count("soloist.claims", "result", result, 1);
    }

    /** The watchdog looked. */
    public void verdict(String verdict) {
        count("soloist.watch.verdicts", "verdict", verdict, 1);
    }

    /** The app was answered. */
    public void enqueued(String outcome) {
        count("soloist.tasks.enqueued", "outcome", outcome, 1);
    }

    /** The store was asked for tasks: it gave some, had none, or the rate limit was used up. */
    public void reserved(String result) {
        count("soloist.reservations", "result", result, 1);
    }

    /** Somebody else's task stood for one by its key, as the local cache knew or the store said. */
    public void duplicateKnown(String by) {
        count("soloist.duplicates.known", "by", by, 1);
    }

    /** A delivery ended here with one of the documented results. */
    public void delivered(String result, Duration took) {
        count("soloist.tasks.delivered", "result", result, 1);
        timer("soloist.task.duration").record(took);
    }

    /** So many dead letters were requeued, discarded or purged here. */
    public void deadLetters(String action, int letters) {
        count("soloist.dead.letters", "action", action, letters);
    }

    /** A task was begun so long after its due. */
    public void taskStarted(Duration lateness) {
        timer("soloist.task.lateness").record(positive(lateness));
    }

    /** Deliveries at work now. */
    public AtomicInteger inFlight() {
        return inFlight;
    }

    /** So many tasks were made ready. */
    public void moved(int tasks) {
        meters.counter("soloist.tasks.moved", LABEL, job).increment(tasks);
    }

    /** So many segments were taken over. */
    public void adopted(int segments) {
        meters.counter("soloist.adopted.segments", LABEL, job).increment(segments);
    }

    /** This instance found itself fenced. */
    public void fenced() {
        meters.counter("soloist.fenced", LABEL, job).increment();
    }

    /** So many tasks are in a state, as last read. */
    public void depth(String state, long tasks) {
        depths.computeIfAbsent(state, name -> {
                    var value = new AtomicLong();
                    meters.gauge("soloist.queue.depth", tags().and("state", name), value, AtomicLong::get);
                    return value;
                })
                .set(tasks);
    }

    /** The longest waiting due task has waited so long, as last read. */
    public void oldestOverdue(Duration age) {
        oldestOverdueMillis.set(positive(age).toMillis());
    }

    /** So many tasks were made ready to be handled again. */
    public void replayed(long tasks) {
        meters.counter("soloist.tasks.replayed", LABEL, job).increment((double) tasks);
    }

    /** What the job's stream holds, as last read. */
    public void stream(StreamState state) {
        streamed("entries", state.entries());
        streamed("consumers", state.consumers());
        streamed("losses", state.losses());
    }

    private void streamed(String what, long value) {
        depths.computeIfAbsent("stream." + what, _ -> {
                    var shown = new AtomicLong();
                    meters.gauge("soloist.stream." + what, tags(), shown, AtomicLong::get);
                    return shown;
                })
                .set(value);
    }

    private void count(String name, String label, String value, int by) {
        meters.counter(name, LABEL, job, label, value).increment(by);
    }

    private Timer timer(String name) {
        return meters.timer(name, LABEL, job);
    }

    private Tags tags() {
        return Tags.of(LABEL, job);
    }

    /** Redis' clock is known here by estimate only: a difference just below zero is zero. */
    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
