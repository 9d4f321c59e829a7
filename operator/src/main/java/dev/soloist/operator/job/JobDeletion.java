package dev.soloist.operator.job;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.operator.core.JobEnding;
import dev.soloist.operator.core.JobEnding.Progress;
import dev.soloist.operator.events.EventRecorder;
import dev.soloist.operator.events.Note;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends a deleted job: waits for its run in progress, and gives up on a store that stays away or on keys that somebody
/// has damaged, for an object that cannot be deleted is worse than keys that are left behind. Thread-safe.
final class JobDeletion {

    private static final Logger LOGGER = LoggerFactory.getLogger(JobDeletion.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final JobEnding ending;
    private final EventRecorder events;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final Map<String, Long> storeAwaySince = new ConcurrentHashMap<>();

    JobDeletion(JobEnding ending, EventRecorder events, Duration timeout, LongSupplier nanoTime) {
        this.ending = ending;
        this.events = events;
        this.timeout = timeout;
        this.nanoTime = nanoTime;
    }

    DeleteControl step(DistributedJob job, JobId id) {
        var uid = job.getMetadata().getUid();
        try {
            var progress = ending.end(id, uid);
            storeAwaySince.remove(uid);
            return switch (progress) {
                case Progress.Over() -> DeleteControl.defaultDelete();
                case Progress.Running(var retryAfter) -> later(retryAfter);
            };
        } catch (RedisUnavailable | ScriptFailed away) {
            var now = nanoTime.getAsLong();
            var since = storeAwaySince.computeIfAbsent(uid, any -> now);
            if (now - since < timeout.toNanos()) {
                return later(RETRY);
            }
            return giveUp(job, id, uid, away);
        }
    }

    private DeleteControl giveUp(DistributedJob job, JobId id, String uid, RuntimeException away) {
        var text = "the store could not be cleared for " + timeout.toSeconds() + " s (" + away.getMessage()
                + "): the object goes, its keys in Redis stay behind, and a run in progress ends by its own lease";
        LOGGER.atWarn().addKeyValue("job", id).log(text);
        events.record(job, Note.warning("DeletedWithoutStore", text));
        storeAwaySince.remove(uid);
        ending.forget(id, uid);
        return DeleteControl.defaultDelete();
    }

    private static DeleteControl later(Duration wait) {
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(wait.toMillis());
    }
}
