package dev.soloist.operator.local;

import java.time.Duration;
import java.time.Instant;

/// Turns the lines of apps into lines of the timeline and entries of the ledger.
///
/// @param redisAhead what Redis' clock shows more than the app's
record Narrator(Ledger ledger, Timeline timeline, Duration redisAhead) {

    void tell(String pod, AppLine line) {
        ledger.tell(pod, line, line.at().plus(redisAhead)).ifPresent(work -> {
            var what = work.isTask() ? work.job() + " " + work.id() : work.job();
            if (line.isStart()) {
                var again = work.attempt() > 1 ? ", attempt " + work.attempt() : "";
                timeline.say(work.isTask() ? "task" : "run", what + ": " + due(work) + " in " + pod + again);
            } else {
                var took = Duration.between(work.start(), work.end() == null ? work.start() : work.end());
                var how = work.done() ? "done" : "cancelled";
                timeline.say(work.isTask() ? "task" : "run", what + ": " + how + " after " + took.toMillis() + " ms");
            }
        });
    }

    private static String due(Work work) {
        var due = work.scheduledAt();
        if (due == null) {
            return "triggered";
        }
        return "due " + clock(due) + " → triggered " + Timeline.offset(Duration.between(due, work.start()));
    }

    private static String clock(Instant instant) {
        return instant.toString().substring(11, Math.min(23, instant.toString().length()));
    }
}
