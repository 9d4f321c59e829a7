package dev.soloist.operator.job;

import dev.soloist.crds.Reasons;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.operator.core.JobSeeding;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.Seeded;
import dev.soloist.operator.events.Note;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Brings the state in Redis in line with the definition.
final class SeedState implements Step {

    private static final Duration AT_ONCE = Duration.ofMillis(100);
    private static final Duration SOON = Duration.ofMillis(500);

    private final KubernetesClient client;
    private final JobSeeding seeding;
    private final OperatorMetrics metrics;

    SeedState(KubernetesClient client, JobSeeding seeding, OperatorMetrics metrics) {
        this.client = client;
        this.seeding = seeding;
        this.metrics = metrics;
    }

    @Override
    public Next run(Pass pass) {
        return switch (seeding.ensure(pass.definition(), pass.memory, () -> latest(pass))) {
            case Seeded.InForce(var memory) -> {
                pass.memory = memory;
                pass.definition = pass.definition().withTerm(memory.term());
                yield Next.GO_ON;
            }
            case Seeded.RaiseTerm(var memory, var reason) -> raise(pass, memory, reason);
            case Seeded.Waiting(var retryAfter) ->
                pass.stop(
                        Problem.forNow(Reasons.PROGRESSING, "a run of a deleted job of this name may still be alive"),
                        retryAfter);
            case Seeded.Moving(var retryAfter) ->
                pass.stop(
                        Problem.forNow(
                                Reasons.PROGRESSING,
                                "the LockPolicy keeps the lease in another way: the run in progress is the last in the old one"),
                        retryAfter);
            case Seeded.Namesake(var uid) -> endNamesake(pass, uid);
            case Seeded.Outdated() ->
                pass.stop(Problem.forNow(Reasons.PROGRESSING, "a newer status of this job is expected"), SOON);
            case Seeded.Ended() ->
                pass.stop(Problem.forNow(Reasons.PROGRESSING, "this object was deleted; a newer one is expected"));
        };
    }

    /// The term is written to the object before it is used; the pass after that goes on from there.
    private Next raise(Pass pass, Memory memory, String reason) {
        pass.memory = memory;
        pass.notes.add(Note.warning(
                "TermRaised",
                reason + ": fences rise to term " + memory.term() + ", so that they stay above all earlier ones"));
        metrics.termRaised();
        return pass.stop(Problem.forNow(Reasons.PROGRESSING, reason), AT_ONCE);
    }

    private Memory latest(Pass pass) {
        var living = living(pass);
        return living == null ? Memory.NONE : Pass.memoryOf(living);
    }

    private @Nullable DistributedJob living(Pass pass) {
        return client.resources(DistributedJob.class)
                .inNamespace(pass.id.namespace())
                .withName(pass.id.name())
                .get();
    }

    private Next endNamesake(Pass pass, String uid) {
        var living = living(pass);
        // Only a look at the API server tells which of the two is the old one: a cache may lag.
        if (living != null && pass.uid().equals(living.getMetadata().getUid())) {
            seeding.endNamesake(pass.id, uid);
        }
        return pass.stop(
                Problem.forNow(Reasons.PROGRESSING, "the state of a deleted job of this name is being ended"), SOON);
    }
}
