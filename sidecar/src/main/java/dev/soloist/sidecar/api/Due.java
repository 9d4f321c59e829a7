package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.When;
import dev.soloist.sidecar.json.GoDuration;
import dev.soloist.sidecar.json.Rfc3339;
import org.jspecify.annotations.Nullable;

/** Reads when a task is to become due: after a delay by Redis' clock, or at an instant. */
final class Due {

    private Due() {}

    /** Reads the two members of which one must be present. */
    static When of(@Nullable String delay, @Nullable String runAt) throws Refusal {
        if (delay != null && runAt != null) {
            throw new Refusal(ProblemKind.INVALID_TASK, "Give delay or runAt, not both.");
        }
        if (delay != null) {
            return When.after(GoDuration.parse(delay)
                    .orElseThrow(() -> new Refusal(
                            ProblemKind.INVALID_TASK,
                            "delay must be a duration such as \"30s\" or \"1h30m\", not negative.")));
        }
        if (runAt != null) {
            return When.at(Rfc3339.parse(runAt)
                    .orElseThrow(() -> new Refusal(
                            ProblemKind.INVALID_TASK,
                            "runAt must be an RFC 3339 instant such as \"2026-01-31T08:00:00Z\".")));
        }
        throw new Refusal(ProblemKind.INVALID_TASK, "Say when: delay (\"30s\", or \"0\" for now) or runAt.");
    }
}
