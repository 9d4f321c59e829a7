package dev.soloist.operator.job;

import dev.soloist.crds.ConditionTypes;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.job.PodCounts;
import dev.soloist.operator.conditions.Conditions;
import dev.soloist.operator.job.Problem.Remedy;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The conditions of a job. Pure. `Reconciling` and `Stalled` are there only while they are true, as kstatus wants
/// them.
final class JobConditions {

    private JobConditions() {}

    static List<Condition> of(Pass pass, Instant now) {
        var status = pass.job.getStatus();
        var conditions = new Conditions(status == null ? null : status.getConditions(), pass.generation(), now);
        var problem = pass.problem == null ? missingPods(pass.counts) : pass.problem;
        if (problem == null) {
            conditions.isTrue(ConditionTypes.READY, Reasons.COORDINATING, "pods share the job");
        } else {
            conditions.isFalse(ConditionTypes.READY, problem.reason(), problem.message());
            var type = problem.remedy() == Remedy.EDIT ? ConditionTypes.STALLED : ConditionTypes.RECONCILING;
            conditions.isTrue(type, problem.reason(), problem.message());
        }
        storeReady(conditions, pass, problem);
        if (pass.effective != null && pass.effective.suspended()) {
            conditions.isTrue(
                    ConditionTypes.SUSPENDED,
                    Reasons.SUSPENDED_BY_SPEC,
                    "nothing new is started; spec.suspend is true");
        } else {
            conditions.isFalse(ConditionTypes.SUSPENDED, Reasons.NOT_SUSPENDED, "spec.suspend is false");
        }
        return conditions.list();
    }

    private static void storeReady(Conditions conditions, Pass pass, @Nullable Problem problem) {
        if (pass.danger != null && pass.store != Pass.StoreState.DOWN) {
            // Also for those who accept it: they are warned, and stay ready.
            conditions.isFalse(ConditionTypes.STORE_READY, pass.danger.kind().word(), pass.danger.sentence());
            return;
        }
        switch (pass.store) {
            case UP -> conditions.isTrue(ConditionTypes.STORE_READY, Reasons.STORE_REACHABLE, "the store answers");
            case DOWN ->
                conditions.isFalse(
                        ConditionTypes.STORE_READY,
                        problem == null ? Reasons.STORE_UNREACHABLE : problem.reason(),
                        pass.storeMessage);
            case NOT_ASKED -> {}
        }
    }

    private static @Nullable Problem missingPods(@Nullable PodCounts pods) {
        if (pods == null || pods.eligible() > 0) {
            return null;
        }
        if (pods.injected() > 0) {
            return Problem.forNow(
                    Reasons.NO_READY_POD, pods.injected() + " pods with a sidecar match, and none of them is ready");
        }
        if (pods.missingSidecars() > 0) {
            return Problem.forNow(
                    Reasons.NO_INJECTED_POD,
                    pods.missingSidecars()
                            + " pods match, and none of them has a sidecar: annotate the pod template with"
                            + " soloist.dev/inject: \"true\"");
        }
        return Problem.forNow(Reasons.NO_MATCHING_POD, "no pod of this namespace carries the labels of spec.selector");
    }
}
