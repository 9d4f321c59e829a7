package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.link.RedisClock;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.store.UntilAnswered;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells Redis how a run ended, as often as it takes: the calls are idempotent, and until one is answered this pod starts nothing new. */
final class Settler {

    private static final Logger LOGGER = LoggerFactory.getLogger(Settler.class);
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(2));

    private final RedisClock clock;
    private final JobMeters meters;

    Settler(RedisClock clock, JobMeters meters) {
        this.clock = clock;
        this.meters = meters;
    }

    Settlement settle(LeaseScripts lease, SingletonWork work, RunEnd end, Duration took) throws InterruptedException {
        if (end instanceof RunEnd.Stopped(StopCause cause) && cause.isLoss()) {
            meters.leaseLost(cause.lostLabel());
        }
        var settlement = Settlement.of(lease.job(), work, lease.grant(), end, clock.now());
        var told = new AtomicBoolean();
        UntilAnswered.call(() -> write(lease, settlement), BETWEEN_TRIES, unanswered -> {
            if (!told.getAndSet(true)) {
                LOGGER.warn(
                        "run {}: its end cannot be written yet, trying on: {}", lease.runId(), unanswered.getMessage());
            }
            return true;
        });
        meters.runEnded(settlement instanceof Settlement.Finish(var _, String metric) ? metric : "givenBack", took);
        return settlement;
    }

    private static Settlement write(LeaseScripts lease, Settlement settlement) {
        switch (settlement) {
            case Settlement.Finish(var request, var _) -> {
                var finishing = lease.finish(request);
                LOGGER.info("run {} ended {}: {}", lease.runId(), request.result(), request.message());
                if (finishing instanceof Finishing.Late) {
                    LOGGER.warn("run {}: its result came too late and changes nothing", lease.runId());
                }
            }
            case Settlement.Interrupted() -> {
                lease.interrupt();
                LOGGER.info("run {} is given back: this pod ends, another one does it", lease.runId());
            }
            case Settlement.GiveBack(Duration standBack) -> {
                lease.release();
                LOGGER.info("run {} is given back; this pod stands back for {}", lease.runId(), standBack);
            }
        }
        return settlement;
    }
}
