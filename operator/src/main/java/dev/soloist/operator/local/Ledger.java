package dev.soloist.operator.local;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Everything that has happened so far, for those who wait for it and for the judgement at the end. Thread-safe.
final class Ledger {

    private final List<Work> works = new ArrayList<>();
    private final List<AcceptedTask> tasks = new ArrayList<>();
    private final List<Death> deaths = new ArrayList<>();
    private @Nullable String trouble;

    /// What an app told.
    ///
    /// @param at the line's moment as Redis' time
    /// @return the work it is about; empty for an end without a start
    synchronized Optional<Work> tell(String pod, AppLine line, Instant at) {
        if (line.isStart()) {
            var work = started(pod, line, at);
            works.add(work);
            notifyAll();
            return Optional.of(work);
        }
        for (int i = works.size() - 1; i >= 0; i--) {
            var work = works.get(i);
            if (work.goesOn() && work.pod().equals(pod) && work.id().equals(line.id())) {
                boolean done = "done".equals(line.outcome());
                works.set(i, work.ended(at, done ? Work.Ending.DONE : Work.Ending.CANCELLED));
                notifyAll();
                return Optional.of(works.get(i));
            }
        }
        return Optional.empty();
    }

    /// The app of a pod ended: what it was doing was cut off.
    synchronized void died(Death death) {
        deaths.add(death);
        works.replaceAll(work ->
                work.goesOn() && work.pod().equals(death.pod()) ? work.ended(death.at(), Work.Ending.CUT) : work);
        notifyAll();
    }

    synchronized void accepted(AcceptedTask task) {
        tasks.add(task);
        notifyAll();
    }

    /// Something that ends the demonstration at once.
    synchronized void trouble(String sentence) {
        trouble = sentence;
        notifyAll();
    }

    synchronized @Nullable String trouble() {
        return trouble;
    }

    synchronized List<Work> works() {
        return List.copyOf(works);
    }

    synchronized List<AcceptedTask> tasks() {
        return List.copyOf(tasks);
    }

    synchronized List<Death> deaths() {
        return List.copyOf(deaths);
    }

    boolean allTasksDone() {
        var all = works();
        return tasks().stream()
                .allMatch(task -> all.stream()
                        .anyMatch(work ->
                                work.done() && work.isTask() && work.id().equals(task.id())));
    }

    long finishedRuns() {
        return works().stream().filter(work -> !work.isTask() && work.done()).count();
    }

    Optional<Work> runInProgress() {
        return works().stream().filter(work -> !work.isTask() && work.goesOn()).findFirst();
    }

    boolean wasCutInARun(String pod) {
        return works().stream()
                .anyMatch(work -> !work.isTask() && work.pod().equals(pod) && work.ending() == Work.Ending.CUT);
    }

    /// Waits until something is so, but not past the moment, and not when there is trouble.
    ///
    /// @param deadline of [System#nanoTime()]
    /// @return whether it is so
    boolean await(Predicate<Ledger> fact, long deadline) throws InterruptedException {
        while (!fact.test(this)) {
            long left = deadline - System.nanoTime();
            synchronized (this) {
                if (left <= 0 || trouble != null) {
                    return false;
                }
                // A fact that changed between the test and here is seen at the next change, or in a tenth of a second.
                wait(Math.min(100, Math.max(1, Duration.ofNanos(left).toMillis())));
            }
        }
        return true;
    }

    /// Waits for a tenth of a second, or for trouble.
    ///
    /// @param deadline of [System#nanoTime()]
    /// @return whether there is time left
    boolean pause(long deadline) throws InterruptedException {
        long soon =
                Math.min(deadline, System.nanoTime() + Duration.ofMillis(100).toNanos());
        return !await(all -> all.trouble() != null, soon) && trouble() == null && System.nanoTime() < deadline;
    }

    private static Work started(String pod, AppLine line, Instant at) {
        var due = line.scheduledAt();
        return new Work(
                line.job(),
                line.isTask(),
                line.id(),
                line.fence() == null ? "" : line.fence(),
                line.attempt() == null ? 1 : Integer.parseInt(line.attempt()),
                pod,
                due == null ? null : Instant.parse(due),
                at,
                null,
                Work.Ending.GOING_ON);
    }
}
