package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.LastRun;
import dev.soloist.crds.job.PodCounts;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.events.Note;
import dev.soloist.operator.job.Pass.StoreState;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users read: conditions that kstatus understands, and events on transitions alone. */
class JobStatusTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    @Test
    void aJobWithReadyPodsIsReadyAndNothingElse() throws InvalidSpec {
        var status = JobStatusOf.pass(pass(null, 2, 2, 0), NOW);

        assertThat(status.getConditions())
                .extracting(condition -> condition.getType() + "=" + condition.getStatus())
                .containsExactly("Ready=True", "StoreReady=True", "Suspended=False");
        assertThat(status.getObservedGeneration()).isEqualTo(7);
        assertThat(status.getTerm()).isEqualTo(3);
    }

    @Test
    void whatOnlyAnEditCuresIsStalledAndWhatTimeCuresIsReconciling() throws InvalidSpec {
        var stalled = pass(null, 1, 1, 0);
        stalled.problem = Problem.untilEdited("PolicyNotFound", "m");
        assertThat(types(JobStatusOf.pass(stalled, NOW))).contains("Stalled").doesNotContain("Reconciling");

        assertThat(types(JobStatusOf.pass(pass(null, 0, 1, 0), NOW)))
                .contains("Reconciling")
                .doesNotContain("Stalled");
    }

    @Test
    void aConditionKeepsItsTimeWhileItsStatusStays() throws InvalidSpec {
        var first = JobStatusOf.pass(pass(null, 1, 1, 0), NOW);
        var same = JobStatusOf.pass(pass(first, 2, 2, 0), LATER);
        var changed = JobStatusOf.pass(pass(first, 0, 0, 0), LATER);

        assertThat(ready(same).getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(ready(changed).getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
    }

    @Test
    void whatAPassCouldNotFindOutStays() throws InvalidSpec {
        var before = JobStatusOf.pass(pass(null, 1, 1, 0), NOW);
        before.setNextRun("2026-01-01T02:00:00Z");
        before.setLastRun(new LastRun("r", "p", NOW, NOW, "Succeeded", null));
        var down = pass(before, 1, 1, 0);
        down.store = StoreState.DOWN;
        down.storeMessage = "away";
        down.problem = Problem.forNow("StoreUnreachable", "away");

        var after = JobStatusOf.pass(down, LATER);

        assertThat(after.getNextRun()).isEqualTo("2026-01-01T02:00:00Z");
        assertThat(after.getLastRun()).isEqualTo(before.getLastRun());
        assertThat(after.getLastVerdict()).isEqualTo("StoreDown");
    }

    @Test
    void aStatusThatSaysTheSameTellsNothing() throws InvalidSpec {
        var before = JobStatusOf.pass(pass(null, 1, 1, 0), NOW);
        var after = JobStatusOf.pass(pass(before, 2, 2, 0), LATER);

        assertThat(Transitions.between(before, after)).isEmpty();
        assertThat(StatusWriter.isUrgent(before, after)).isFalse();
    }

    @Test
    void transitionsAreToldOnce() throws InvalidSpec {
        var fresh = JobStatusOf.pass(pass(null, 0, 0, 1), NOW);
        assertThat(reasons(null, fresh)).containsExactly("NoInjectedPod");

        var ready = JobStatusOf.pass(pass(fresh, 1, 1, 0), NOW);
        assertThat(reasons(fresh, ready)).containsExactly("Ready");
        assertThat(StatusWriter.isUrgent(fresh, ready)).isTrue();

        var failed = JobStatusOf.pass(pass(ready, 1, 1, 0), NOW);
        failed.setConsecutiveFailures(1);
        assertThat(reasons(ready, failed)).containsExactly("RunFailed");

        var failedAgain = JobStatusOf.pass(pass(failed, 1, 1, 0), NOW);
        failedAgain.setConsecutiveFailures(2);
        assertThat(reasons(failed, failedAgain)).isEmpty();

        var healed = JobStatusOf.pass(pass(failedAgain, 1, 1, 0), NOW);
        healed.setConsecutiveFailures(0);
        healed.setLastSuccess(NOW);
        assertThat(reasons(failedAgain, healed)).containsExactly("RunSucceeded");
    }

    private static List<String> reasons(DistributedJobStatus before, DistributedJobStatus after) {
        return Transitions.between(before, after).stream().map(Note::reason).toList();
    }

    private static List<String> types(DistributedJobStatus status) {
        return status.getConditions().stream().map(Condition::getType).toList();
    }

    private static Condition ready(DistributedJobStatus status) {
        return status.getConditions().getFirst();
    }

    private static Pass pass(DistributedJobStatus before, int eligible, int injected, int missing) throws InvalidSpec {
        var job = ApiSerialization.lenient().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: DistributedJob
                        metadata: {name: j, namespace: ns, uid: u, generation: 7}
                        spec:
                          selector: {matchLabels: {app: j}}
                          trigger: {port: 8080, path: /}
                          singleton: {schedule: {every: 30s}}
                        """, DistributedJob.class);
        job.setStatus(before);
        var pass = new Pass(job, List.of(), Optional.empty());
        pass.effective = EffectiveJob.of(job);
        pass.counts = PodCounts.of(eligible, injected, missing);
        pass.store = StoreState.UP;
        pass.memory = new Memory(3, "mark@server");
        return pass;
    }
}
