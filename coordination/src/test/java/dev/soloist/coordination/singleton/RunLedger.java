package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Every run that a holder began, and from when until when it could take it for valid. Thread-safe. */
final class RunLedger {

    /** A run; {@code until} is when it stopped or its own deadline, whichever came first. */
    record Run(JobId job, Fence fence, Instant grantedAt, String pod, long from, long until) {}

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Map<JobId, AtomicInteger> successes = new ConcurrentHashMap<>();

    void add(Run run) {
        runs.add(run);
    }

    void complain(String what) {
        complaints.add(what);
    }

    void success(JobId job) {
        successes.computeIfAbsent(job, id -> new AtomicInteger()).incrementAndGet();
    }

    int successes(JobId job) {
        return successes.getOrDefault(job, new AtomicInteger()).get();
    }

    int size() {
        return runs.size();
    }

    /** All that must not be: overlaps of valid runs, fences that fall or come twice, and what was complained of. */
    List<String> violations(List<JobId> jobs) {
        List<String> violations = new ArrayList<>(complaints);
        for (JobId job : jobs) {
            List<Run> ofJob = runs.stream().filter(run -> run.job().equals(job)).toList();
            pairs(ofJob, Comparator.comparingLong(Run::from), (before, after) -> {
                if (after.from() - before.until() < 0) {
                    violations.add(
                            "overlap by " + (before.until() - after.from()) / 1000 + " us: " + before + " " + after);
                }
            });
            pairs(ofJob, Comparator.comparing(Run::grantedAt).thenComparing(Run::fence), (before, after) -> {
                if (after.fence().compareTo(before.fence()) <= 0) {
                    violations.add("fence does not rise: " + before + " " + after);
                }
            });
        }
        return violations;
    }

    private interface Pair {
        void check(Run before, Run after);
    }

    private static void pairs(List<Run> runs, Comparator<Run> order, Pair pair) {
        List<Run> sorted = runs.stream().sorted(order).toList();
        for (int i = 1; i < sorted.size(); i++) {
            pair.check(sorted.get(i - 1), sorted.get(i));
        }
    }
}
