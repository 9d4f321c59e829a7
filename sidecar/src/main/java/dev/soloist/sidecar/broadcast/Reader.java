package dev.soloist.sidecar.broadcast;

import dev.soloist.coordination.broadcast.Broadcast;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.trigger.App;
import dev.soloist.sidecar.trigger.AppCall;
import dev.soloist.sidecar.trigger.AppResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands broadcasts of a mailbox to the app, one after the other, each once whatever comes of it. */
final class Reader implements Runnable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Reader.class);

    private final Mailbox mailbox;
    private final App app;
    private final JobMeters meters;
    private final Supplier<JobDefinition> job;
    private final Predicate<JobDefinition> wanted;
    private final Supplier<Instant> now;
    private final AtomicReference<@Nullable AppCall> call = new AtomicReference<>();

    /**
     * A reader that is not started yet.
     *
     * @param wanted whether the app is to be called at all, asked right before each call
     * @param now by the Redis clock as far as it is known
     */
    Reader(
            Mailbox mailbox,
            App app,
            JobMeters meters,
            Supplier<JobDefinition> job,
            Predicate<JobDefinition> wanted,
            Supplier<Instant> now) {
        this.mailbox = mailbox;
        this.app = app;
        this.meters = meters;
        this.job = job;
        this.wanted = wanted;
        this.now = now;
    }

    @Override
    public void run() {
        try {
            for (var next = mailbox.take(); next.isPresent(); next = mailbox.take()) {
                read(next.get());
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the app is being called. */
    boolean isBusy() {
        return call.get() != null;
    }

    /** Cuts off the call that is under way, if there is one. */
    void cutShort() {
        var current = call.get();
        if (current != null) {
            current.abort();
        }
    }

    private void read(Broadcast broadcast) {
        try {
            var definition = job.get();
            meters.broadcastReceived(wanted.test(definition) ? handed(definition, broadcast) : "skipped");
        } catch (RuntimeException bug) {
            LOGGER.warn("job {}: broadcast {} was not handed over", job.get().id(), broadcast.id(), bug);
            meters.broadcastReceived("failed");
        }
    }

    private String handed(JobDefinition definition, Broadcast broadcast) {
        var trigger = definition.trigger();
        var headers = new LinkedHashMap<String, String>();
        headers.put("Soloist-Job", definition.id().name());
        headers.put("Soloist-Broadcast", broadcast.id());
        headers.put("Soloist-Deadline", Rfc3339.write(now.get().plus(trigger.timeout())));
        var fresh = app.start(trigger, headers, broadcast.payload(), trigger.timeout());
        long begun = System.nanoTime();
        call.set(fresh);
        try {
            return fresh.execute() instanceof AppResponse.Answered(int status, var _, var _) && status / 100 == 2
                    ? "delivered"
                    : "failed";
        } finally {
            call.set(null);
            meters.broadcastHandled(Duration.ofNanos(System.nanoTime() - begun));
        }
    }
}
