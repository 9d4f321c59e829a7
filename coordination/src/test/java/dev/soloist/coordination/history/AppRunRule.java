package dev.soloist.coordination.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As the apps see it: a run begins once, under a lease that lives, and no two runs of one job are at work at once, unless the earlier
 * one's pod could not know or its app did not listen. Even then the later run has the higher fence.
 */
final class AppRunRule implements Rule {

    private static final class Run {
        final Event.AppStarted start;
        Event.@Nullable AppEnded end;

        Run(Event.AppStarted start) {
            this.start = start;
        }
    }

    private final Violations violations;
    private final Excuses excuses;
    private final Map<String, Run> runs = new HashMap<>();
    private final Map<String, List<Run>> ofJob = new HashMap<>();
    private final Map<String, Long> leases = new HashMap<>();
    private final Map<String, String> fenceOfNonce = new HashMap<>();
    private long lostAt = Long.MIN_VALUE;

    AppRunRule(Violations violations, Excuses excuses) {
        this.violations = violations;
        this.excuses = excuses;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Granted granted -> {
                leases.put(granted.job() + granted.fence(), granted.until());
                fenceOfNonce.put(granted.nonce(), granted.job() + granted.fence());
            }
            case Event.Extended extended -> {
                String fence = fenceOfNonce.get(extended.nonce());
                if (fence != null) {
                    leases.put(fence, extended.until());
                }
            }
            case Event.AppStarted start when !start.fence().isEmpty() -> started(start);
            case Event.AppEnded end -> {
                Run run = runs.get(end.work());
                if (run != null) {
                    run.end = end;
                }
            }
            case Event.DataLost lost -> lostAt = lost.at();
            default -> {}
        }
    }

    private void started(Event.AppStarted start) {
        Run run = new Run(start);
        if (runs.put(start.work(), run) != null) {
            violations.add(start, "one run began twice");
        }
        ofJob.computeIfAbsent(start.job(), _ -> new ArrayList<>()).add(run);
    }

    @Override
    public void end() {
        runs.values().forEach(this::underALease);
        ofJob.values().forEach(this::alone);
    }

    private void underALease(Run run) {
        Event.AppStarted start = run.start;
        Long until = leases.get(start.job() + start.fence());
        if (until == null) {
            violations.add(start, "a run without a lease");
        } else if (start.at() / 1000 > until && !excuses.cover(start.pod(), until * 1000 - 30_000_000, start.at())) {
            violations.add(start, "a run began after its lease, which ended at " + until);
        }
    }

    private void alone(List<Run> all) {
        for (Run earlier : all) {
            for (Run later : all) {
                if (earlier.start.at() < later.start.at() && overlap(earlier, later)) {
                    judge(earlier, later);
                }
            }
        }
    }

    private static boolean overlap(Run earlier, Run later) {
        return earlier.end == null || earlier.end.at() > later.start.at();
    }

    private void judge(Run earlier, Run later) {
        if (later.start.fence().compareTo(earlier.start.fence()) <= 0) {
            violations.add(earlier.start, later.start, "the later of two runs at once has no higher fence");
        }
        boolean deaf = earlier.end == null || earlier.end.how().equals("deaf");
        boolean lost = lostAt >= earlier.start.at() && lostAt <= later.start.at();
        if (!deaf && !lost && !excuses.cover(earlier.start.pod(), earlier.start.at(), later.start.at())) {
            violations.add(earlier.start, later.start, "two runs of one job at once");
        }
    }
}
