package dev.soloist.operator.job;

import dev.soloist.coordination.event.JobEvent;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.singleton.RunSummary;
import dev.soloist.crds.job.EventLogStatus;
import dev.soloist.crds.job.NotedEvent;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The part of a status that tells of the event log. Pure.
final class EventStatus {

    private EventStatus() {}

    /// What was read, or what was known before if nothing could be; nothing for a job without a log.
    static @Nullable EventLogStatus of(Pass pass, @Nullable EventLogStatus before) {
        if (pass.logIsOff) {
            return null;
        }
        return switch (pass.events) {
            case null -> before;
            case JobEvents.Page page ->
                new EventLogStatus(
                        page.next().toString(),
                        page.kept(),
                        page.events().reversed().stream()
                                .map(event -> noted(pass, event))
                                .toList(),
                        null);
            case JobEvents.Off _ ->
                new EventLogStatus(null, null, null, "this store keeps no event log: it needs streams and scripts");
        };
    }

    private static NotedEvent noted(Pass pass, JobEvent event) {
        return switch (event.event()) {
            case LoggedEvent.RunEnded(var _, var run) -> run(pass, event, "RunEnded", run);
            case LoggedEvent.LateResult(var _, var run) -> run(pass, event, "LateResult", run);
            case LoggedEvent.TaskDied died ->
                noted(
                        event,
                        "TaskDied",
                        died.task().text(),
                        switch (died.cause()) {
                            case REFUSED -> "Refused";
                            case ATTEMPTS -> "Attempts";
                            case SILENT -> "Silent";
                        });
            case LoggedEvent.Unknown _ -> noted(event, "Unknown", "", "");
        };
    }

    private static NotedEvent run(Pass pass, JobEvent event, String type, RunSummary run) {
        return noted(event, type, RunStatus.id(pass, run.generation(), run.fence()), RunStatus.word(run.result()));
    }

    private static NotedEvent noted(JobEvent event, String type, String subject, String outcome) {
        var at = event.event().id().at().truncatedTo(ChronoUnit.SECONDS);
        return new NotedEvent(event.id(), at, type, subject, outcome);
    }
}
