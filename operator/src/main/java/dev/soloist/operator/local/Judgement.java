package dev.soloist.operator.local;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Compares what happened with what was promised. Pure.
///
/// @param fewestRuns finished runs below which nothing was shown
/// @param failoverWithin the longest time from the death of a holder's pod to the start of a run elsewhere
/// @param now Redis' time at the end
record Judgement(int fewestRuns, Duration failoverWithin, Instant now) {

    /// A clock of milliseconds and an estimate of Redis' time cannot tell moments closer than this apart.
    private static final Duration BLUR = Duration.ofMillis(20);

    List<Promise> of(List<Work> works, List<AcceptedTask> tasks, List<Death> deaths) {
        var runs = works.stream()
                .filter(work -> !work.isTask())
                .sorted(Comparator.comparing(Work::start))
                .toList();
        var promises = new ArrayList<Promise>();
        promises.add(happened(runs));
        promises.add(oneAtATime(runs));
        promises.add(fencesRise(runs));
        if (!tasks.isEmpty()) {
            var deliveries = works.stream().filter(Work::isTask).toList();
            promises.add(noneLost(tasks, deliveries));
            promises.add(noneEarly(tasks, deliveries));
            promises.add(repeatsOnlyWhereCut(deliveries));
        }
        for (var death : deaths) {
            runs.stream()
                    .filter(_ -> death.wholePod())
                    .filter(run -> run.ending() == Work.Ending.CUT && run.pod().equals(death.pod()))
                    .findFirst()
                    .ifPresent(cut -> promises.add(failover(cut, death, runs)));
        }
        return promises;
    }

    private Promise happened(List<Work> runs) {
        long done = runs.stream().filter(Work::done).count();
        return new Promise("the job runs", done >= fewestRuns, done + " runs finished");
    }

    private Promise oneAtATime(List<Work> runs) {
        for (var byJob : byJob(runs).values()) {
            for (int i = 1; i < byJob.size(); i++) {
                var before = byJob.get(i - 1);
                var end = before.end() == null ? now : before.end();
                if (byJob.get(i).start().isBefore(end)) {
                    return new Promise(
                            "at most one run at a time",
                            false,
                            "a run began in " + byJob.get(i).pod() + " while one went on in " + before.pod());
                }
            }
        }
        return new Promise("at most one run at a time", true, runs.size() + " runs, none overlapped");
    }

    private static Promise fencesRise(List<Work> runs) {
        for (var byJob : byJob(runs).values()) {
            for (int i = 1; i < byJob.size(); i++) {
                var before = byJob.get(i - 1).fence();
                var fence = byJob.get(i).fence();
                if (fence.compareTo(before) <= 0) {
                    return new Promise("fences rise", false, fence + " came after " + before);
                }
            }
        }
        return new Promise("fences rise", true, "each was larger than the one before");
    }

    private static Promise noneLost(List<AcceptedTask> tasks, List<Work> deliveries) {
        var done = deliveries.stream().filter(Work::done).map(Work::id).collect(Collectors.toSet());
        var lost = tasks.stream()
                .map(AcceptedTask::id)
                .filter(id -> !done.contains(id))
                .toList();
        return new Promise(
                "no accepted task is lost",
                lost.isEmpty(),
                (tasks.size() - lost.size()) + " of " + tasks.size() + " done"
                        + (lost.isEmpty() ? "" : "; missing: " + String.join(", ", lost)));
    }

    private static Promise noneEarly(List<AcceptedTask> tasks, List<Work> deliveries) {
        var worst = Duration.ZERO;
        for (var task : tasks) {
            for (var delivery : deliveries) {
                if (delivery.id().equals(task.id())) {
                    var lateness = Duration.between(task.dueAt(), delivery.start());
                    if (lateness.plus(BLUR).isNegative()) {
                        return new Promise(
                                "no task comes early",
                                false,
                                task.id() + " came " + Timeline.offset(lateness) + " from its due time");
                    }
                    worst = delivery.attempt() == 1 && lateness.compareTo(worst) > 0 ? lateness : worst;
                }
            }
        }
        return new Promise(
                "no task comes early", true, "the latest came " + Timeline.offset(worst) + " from its due time");
    }

    private static Promise repeatsOnlyWhereCut(List<Work> deliveries) {
        var byTask = deliveries.stream().collect(Collectors.groupingBy(Work::id, TreeMap::new, Collectors.toList()));
        long repeats = 0;
        for (var entry : byTask.entrySet()) {
            if (entry.getValue().stream().filter(Work::done).count() > 1) {
                return new Promise("a task is repeated only if cut", false, entry.getKey() + " was done twice");
            }
            repeats += entry.getValue().size() - 1;
        }
        return new Promise("a task is repeated only if cut", true, repeats + " repeated");
    }

    private Promise failover(Work cut, Death death, List<Work> runs) {
        var next = runs.stream()
                .filter(run -> run.job().equals(cut.job()) && run.start().isAfter(death.at()))
                .findFirst();
        if (next.isEmpty()) {
            return new Promise("failover", false, "after the death of " + death.pod() + " nobody ran " + cut.job());
        }
        var took = Duration.between(death.at(), next.get().start());
        return new Promise(
                "failover in under " + failoverWithin.toSeconds() + " s",
                took.compareTo(failoverWithin) < 0,
                death.pod() + " died in the middle of a run; " + next.get().pod() + " began " + Timeline.offset(took)
                        + " later");
    }

    private static Map<String, List<Work>> byJob(List<Work> runs) {
        return runs.stream().collect(Collectors.groupingBy(Work::job, TreeMap::new, Collectors.toList()));
    }
}
