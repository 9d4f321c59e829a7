package dev.soloist.coordination.event;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.singleton.RunSummary;
import java.util.HashMap;
import java.util.Map;

/** Reads the fields of one entry; the first of them names the kind of event. */
final class EventFields {

    private EventFields() {}

    static LoggedEvent read(EventId id, ScriptReply fields) {
        return switch (fields.text(0)) {
            case "run" -> new LoggedEvent.RunEnded(id, RunSummary.read(fields.text(1)));
            case "late" -> new LoggedEvent.LateResult(id, RunSummary.read(fields.text(1)));
            case "dead" -> died(id, fields);
            default -> new LoggedEvent.Unknown(id, fields.text(0));
        };
    }

    private static LoggedEvent died(EventId id, ScriptReply fields) {
        Map<String, Integer> at = new HashMap<>();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            at.put(fields.text(i), i + 1);
        }
        return new LoggedEvent.TaskDied(
                id,
                TaskId.fromBytes(fields.bytes(1)),
                LoggedEvent.Cause.valueOf(fields.text(at.getOrDefault("why", 1))),
                (int) fields.number(at.getOrDefault("attempts", 1)),
                fields.instant(at.getOrDefault("due", 1)),
                fields.text(at.getOrDefault("error", 1)));
    }
}
