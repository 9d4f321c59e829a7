package dev.soloist.operator.pods;

import dev.soloist.operator.core.DeathEvidence;
import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.Reclaimer;
import dev.soloist.operator.core.Reclaimer.Taken;
import dev.soloist.operator.events.EventRecorder;
import dev.soloist.operator.events.Note;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.fabric8.kubernetes.api.model.Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes leases and delayed tasks from pods that are proven dead, and tells of it. Thread-safe.
public final class PodReclaim {

    private static final Logger LOGGER = LoggerFactory.getLogger(PodReclaim.class);

    private final Reclaimer reclaimer;
    private final EventRecorder events;
    private final OperatorMetrics metrics;

    public PodReclaim(Reclaimer reclaimer, EventRecorder events, OperatorMetrics metrics) {
        this.reclaimer = reclaimer;
        this.events = events;
        this.metrics = metrics;
    }

    /// Takes what the facts prove to be nobody's. Repeating it takes nothing more.
    void fromEnded(Pod pod, PodFacts facts) {
        reclaimer.reclaim(facts.namespace(), facts.uid(), DeathEvidence.of(facts), taken -> tell(pod, facts, taken));
    }

    private void tell(Pod pod, PodFacts facts, Taken taken) {
        var text = switch (taken) {
            case Taken.Lease(var job, var _, var _, var fence) -> {
                metrics.reclaimed("lease");
                yield "the containers have terminated: the lease of job "
                        + job.id().name() + " (fence " + fence + ") is free";
            }
            case Taken.Segments(var job, var _) -> {
                metrics.reclaimed("segments");
                yield "the sidecar has terminated: another pod looks after its delayed tasks of job "
                        + job.id().name();
            }
        };
        LOGGER.atInfo()
                .addKeyValue("pod", facts.namespace() + "/" + facts.name())
                .log(text);
        events.record(pod, Note.normal("Reclaimed", text));
    }
}
