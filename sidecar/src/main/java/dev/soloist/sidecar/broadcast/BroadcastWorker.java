package dev.soloist.sidecar.broadcast;

import dev.soloist.coordination.broadcast.Broadcast;
import dev.soloist.coordination.broadcast.Broadcasts;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.trigger.App;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broadcast job in this pod, both ways: sends for the app, and hands the app what was sent by any pod, this one included. It holds
 * nothing in Redis, so there is nothing to give back: what waits here when the pod ends is gone. Thread-safe.
 */
public final class BroadcastWorker implements JobWorker {

    private static final Logger LOGGER = LoggerFactory.getLogger(BroadcastWorker.class);
    private static final int AT_A_TIME = 4;

    private final Store store;
    private final Broadcasts channel;
    private final JobMeters meters;
    private final Mailbox mailbox = new Mailbox();
    private final List<Reader> readers;
    private final List<Thread> threads;
    private final AutoCloseable listening;
    private volatile JobDefinition job;
    private volatile Eligibility eligibility;
    private volatile boolean taking = true;

    /** A worker that listens from now on, and is not started yet. */
    public BroadcastWorker(Store store, Meters meters, App app, JobDefinition job, Eligibility eligibility) {
        this.store = store;
        this.channel = store.data().broadcasts(job.id());
        this.meters = meters.job(job.id().name()).ofBroadcast();
        this.job = job;
        this.eligibility = eligibility;
        this.readers = IntStream.range(0, AT_A_TIME)
                .mapToObj(_ -> new Reader(mailbox, app, this.meters, this::job, this::isWanted, this::now))
                .toList();
        this.threads = readers.stream()
                .map(reader ->
                        Thread.ofVirtual().name("broadcast-" + job.id().name()).unstarted(reader))
                .toList();
        this.listening = channel.listen(this::heard);
    }

    private void heard(Optional<Broadcast> message) {
        if (message.isEmpty()) {
            meters.broadcastReceived("unreadable");
            return;
        }
        switch (isWanted(job) ? mailbox.offer(message.get()) : null) {
            case null -> meters.broadcastReceived("skipped");
            case REPEATED -> meters.broadcastReceived("repeated");
            case DROPPED -> meters.broadcastReceived("dropped");
            case TAKEN -> {}
        }
    }

    private boolean isWanted(JobDefinition definition) {
        return taking && !definition.suspended() && eligibility == Eligibility.ELIGIBLE;
    }

    private Instant now() {
        return store.link().clock().isSet() ? store.link().clock().now() : Instant.now();
    }

    /**
     * Sends once, to every pod that listens at the moment.
     *
     * @return how many listened, where that can be known
     * @throws RedisUnavailable if no answer came; it may have been sent all the same
     */
    public OptionalLong send(Broadcast broadcast) {
        try {
            var heardBy = channel.send(broadcast);
            meters.broadcastSent("sent");
            return heardBy;
        } catch (RedisUnavailable unanswered) {
            meters.broadcastSent("error");
            throw unanswered;
        }
    }

    @Override
    public JobDefinition job() {
        return job;
    }

    @Override
    public void update(JobDefinition newer, Eligibility now) {
        job = newer;
        eligibility = now;
    }

    @Override
    public void start() {
        threads.forEach(Thread::start);
    }

    @Override
    public void stopTaking(Ending why) {
        taking = false;
    }

    @Override
    public void stop(Duration budget) {
        taking = false;
        IntStream.range(0, mailbox.close()).forEach(_ -> meters.broadcastReceived("dropped"));
        long end = System.nanoTime() + budget.toNanos();
        try {
            for (var thread : threads) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
        readers.forEach(Reader::cutShort);
    }

    @Override
    public void leave() {
        try {
            listening.close();
        } catch (Exception alreadyGone) {
            LOGGER.debug("job {}: the channel could not be left", job.id(), alreadyGone);
        }
    }

    @Override
    public String leftovers() {
        long busy = readers.stream().filter(Reader::isBusy).count();
        return busy == 0 ? "" : "job " + job.id() + ": " + busy + " broadcasts, cut off";
    }
}
