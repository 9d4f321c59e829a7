package dev.soloist.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {

    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Judgement JUDGEMENT = new Judgement(1, Duration.ofSeconds(5), at(60_000));

    @Test
    void runsOneAfterTheOtherWithRisingFencesKeepAllPromises() {
        var works = List.of(run("a", 1, 0, 700), run("b", 2, 2000, 2700));

        assertThat(JUDGEMENT.of(works, List.of(), List.of())).hasSize(3).allMatch(Promise::kept);
    }

    @Test
    void aRunThatBeginsInAnotherIsAnOverlap() {
        assertThat(broken(List.of(run("a", 1, 0, 700), run("b", 2, 699, 1300))))
                .containsExactly("at most one run at a time");
    }

    @Test
    void aRunThatNeverEndedOverlapsEveryLaterOne() {
        var first = new Work("j", false, "1", "1", 1, "a", null, at(0), null, Work.Ending.GOING_ON);

        assertThat(broken(List.of(first, run("b", 2, 9000, 9700)))).containsExactly("at most one run at a time");
    }

    @Test
    void anEqualFenceDoesNotRise() {
        assertThat(broken(List.of(run("a", 1, 0, 700), run("b", 1, 2000, 2700))))
                .containsExactly("fences rise");
    }

    @Test
    void tooFewRunsShowNothing() {
        assertThat(broken(List.of())).containsExactly("the job runs");
    }

    @Test
    void aTaskThatWasOnlyCutIsLost() {
        var task = new AcceptedTask("q", "t1", at(1000), "a");
        var cut = task("t1", "a", 1000, 1200, Work.Ending.CUT);

        var promises = JUDGEMENT.of(List.of(run("a", 1, 0, 700), cut), List.of(task), List.of());

        assertThat(promises)
                .filteredOn(promise -> !promise.kept())
                .extracting(Promise::seen)
                .containsExactly("0 of 1 done; missing: t1");
    }

    @Test
    void aTaskMayBeRepeatedAfterACutButNotAfterItWasDone() {
        var task = new AcceptedTask("q", "t1", at(1000), "a");
        var cut = task("t1", "a", 1000, 1200, Work.Ending.CUT);
        var done = task("t1", "b", 31_000, 31_200, Work.Ending.DONE);
        var again = task("t1", "b", 32_000, 32_200, Work.Ending.DONE);
        var run = run("a", 1, 0, 700);

        assertThat(JUDGEMENT.of(List.of(run, cut, done), List.of(task), List.of()))
                .allMatch(Promise::kept);
        assertThat(JUDGEMENT.of(List.of(run, done, again), List.of(task), List.of()))
                .filteredOn(promise -> !promise.kept())
                .extracting(Promise::promised)
                .containsExactly("a task is repeated only if cut");
    }

    @Test
    void aTaskThatComesBeforeItsTimeIsEarly() {
        var task = new AcceptedTask("q", "t1", at(1000), "a");
        var early = task("t1", "a", 900, 1200, Work.Ending.DONE);

        assertThat(JUDGEMENT.of(List.of(run("a", 1, 0, 700), early), List.of(task), List.of()))
                .filteredOn(promise -> !promise.kept())
                .extracting(Promise::promised)
                .containsExactly("no task comes early");
    }

    @Test
    void failoverIsMeasuredFromTheDeathOfTheHolder() {
        var cut = new Work("j", false, "1", "1", 1, "a", null, at(0), at(300), Work.Ending.CUT);
        var death = new Death("a", at(300), true);

        assertThat(JUDGEMENT.of(List.of(cut, run("b", 2, 5299, 6000)), List.of(), List.of(death)))
                .allMatch(Promise::kept);
        assertThat(JUDGEMENT.of(List.of(cut, run("b", 2, 5301, 6000)), List.of(), List.of(death)))
                .anyMatch(promise -> !promise.kept() && promise.promised().startsWith("failover"));
        assertThat(JUDGEMENT.of(List.of(run("b", 1, -2000, -1000), cut), List.of(), List.of(death)))
                .anyMatch(promise -> !promise.kept() && promise.seen().contains("nobody ran j"));
    }

    @Test
    void anAppThatDiedAloneProvesNothingSoNoFailoverWasPromised() {
        var cut = new Work("j", false, "1", "1", 1, "a", null, at(0), at(300), Work.Ending.CUT);

        assertThat(JUDGEMENT.of(
                        List.of(run("b", 0, -2000, -1000), cut), List.of(), List.of(new Death("a", at(300), false))))
                .allMatch(Promise::kept);
    }

    private static List<String> broken(List<Work> works) {
        return JUDGEMENT.of(works, List.of(), List.of()).stream()
                .filter(promise -> !promise.kept())
                .map(Promise::promised)
                .toList();
    }

    private static Work run(String pod, int fence, long start, long end) {
        return new Work(
                "j", false, "run-" + start, String.valueOf(fence), 1, pod, null, at(start), at(end), Work.Ending.DONE);
    }

    private static Work task(String id, String pod, long start, long end, Work.Ending ending) {
        return new Work("q", true, id, "", 1, pod, null, at(start), at(end), ending);
    }

    private static Instant at(long millis) {
        return T0.plusMillis(millis);
    }
}
