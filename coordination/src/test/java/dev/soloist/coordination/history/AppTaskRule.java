package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;

/** As the apps see it: a task comes only as an attempt that was handed out, and not after it was handled, unless its pod acts late. */
final class AppTaskRule implements Rule {

    /** Between the moment of the server and the estimate of an app, in microseconds. */
    private static final long CLOCKS = 2_000;

    private final Violations violations;
    private final Excuses excuses;
    private final Map<String, Long> handedOut = new HashMap<>();
    private final Map<String, Long> done = new HashMap<>();
    private final Map<String, Event.AppStarted> starts = new HashMap<>();
    private boolean forgetful;

    AppTaskRule(Violations violations, Excuses excuses) {
        this.violations = violations;
        this.excuses = excuses;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Delivered e -> handedOut.merge(e.job() + " " + e.id() + " " + e.attempt(), e.at(), Math::min);
            case Event.Acked e -> done.putIfAbsent(e.job() + " " + e.id(), e.at());
            case Event.AppStarted e
            when e.fence().isEmpty() -> starts.put(e.job() + " " + e.work() + " " + e.attempt(), e);
            case Event.DataLost _ -> {
                forgetful = true;
                done.clear();
            }
            case Event.Erased e -> done.keySet().removeIf(key -> key.startsWith(e.job() + " "));
            default -> {}
        }
    }

    @Override
    public void end() {
        starts.forEach((key, start) -> {
            Long at = handedOut.get(key);
            if (at == null ? !forgetful : at > start.at() + CLOCKS) {
                violations.add(start, "an app got a task that was not handed out");
            }
            Long ended = done.get(start.job() + " " + start.work());
            if (ended != null
                    && at != null
                    && start.at() > ended + CLOCKS
                    && !excuses.cover(start.pod(), at, start.at())) {
                violations.add(start, "an app got a task after its end at " + ended);
            }
        });
    }
}
