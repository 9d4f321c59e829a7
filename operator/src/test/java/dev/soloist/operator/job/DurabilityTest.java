package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.singleton.CurrentRun;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.job.Pass.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A policy that wants replicas: how it reaches the sidecars, and what users read while it is not kept. */
class DurabilityTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Pass pass(String durability) throws Exception {
        var job = ApiSerialization.lenient().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: DistributedJob
                        metadata: {name: j, namespace: ns, uid: u, generation: 7}
                        spec:
                          selector: {matchLabels: {app: j}}
                          lockPolicy: careful
                          trigger: {port: 8080, path: /}
                          singleton: {schedule: {every: 30s}}
                        """, DistributedJob.class);
        var policy = ApiSerialization.lenient().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: LockPolicy
                        metadata: {name: careful, namespace: ns}
                        spec: {durability: %s}
                        """.formatted(durability), LockPolicy.class);
        var pass = new Pass(job, List.of(), Optional.of(policy));
        pass.effective = EffectiveJob.of(job);
        pass.memory = new Memory(3, "mark@server");
        pass.store = StoreState.UP;
        assertThat(new Define().run(pass)).isEqualTo(Step.Next.GO_ON);
        return pass;
    }

    @Test
    void theWishIsPartOfTheDefinition() throws Exception {
        assertThat(pass("{mode: Replicated, replicas: 2, timeout: 300ms}")
                        .definition()
                        .policy()
                        .durability())
                .isEqualTo(new Durability.Replicated(2, Duration.ofMillis(300)));
        assertThat(pass("{}").definition().policy().durability()).isEqualTo(Durability.LOCAL);
    }

    @Test
    void aStoreThatCannotTellWhatReplicasHaveIsNoStoreForIt() throws Exception {
        var pass = pass("{mode: Replicated}");

        assertThat(new JudgeDurability(StoreMode.Cas::new).run(pass)).isEqualTo(Step.Next.STOP);
        assertThat(pass.problem).isEqualTo(Problem.untilEdited(Reasons.DURABILITY_UNSUPPORTED, Durability.UNKNOWABLE));
        assertThat(new JudgeDurability(StoreMode.Scripted::new).run(pass)).isEqualTo(Step.Next.GO_ON);
        assertThat(new JudgeDurability(StoreMode.Cas::new).run(pass("{mode: Local}")))
                .isEqualTo(Step.Next.GO_ON);
    }

    @Test
    void missingAcknowledgementsAreTheVerdictUntilARunGoesOn() throws Exception {
        var pass = pass("{mode: Replicated}");

        assertThat(verdict(pass, snapshot(NOW, null))).isEqualTo("ReplicaAckMissing");
        assertThat(verdict(pass, snapshot(NOW, run(NOW.minusSeconds(1)))))
                .as("claimed, and perhaps given back in a moment")
                .isEqualTo("ReplicaAckMissing");
        assertThat(verdict(pass, snapshot(NOW.minusSeconds(60), run(NOW.minusSeconds(30)))))
                .isNull();
        assertThat(verdict(pass, snapshot(null, null))).isNull();
    }

    private static @Nullable String verdict(Pass pass, SingletonSnapshot snapshot) {
        var status = new DistributedJobStatus();
        pass.snapshot = snapshot;
        RunStatus.fill(status, new DistributedJobStatus(), pass);
        return status.getLastVerdict();
    }

    private static CurrentRun run(Instant started) {
        return new CurrentRun(
                new InstanceId("uid-aaaaaa"), "pod", new Fence(1, 2), started, NOW.plusSeconds(20), false);
    }

    private static SingletonSnapshot snapshot(@Nullable Instant unacknowledged, @Nullable CurrentRun run) {
        return new SingletonSnapshot(
                run == null ? SingletonState.READY : SingletonState.RUNNING,
                NOW,
                1,
                1,
                "u",
                "mark",
                new SpecRevision("1", "every 30s"),
                NOW,
                NOW,
                Instant.EPOCH,
                0,
                false,
                null,
                false,
                false,
                run,
                null,
                null,
                null,
                0,
                0,
                0,
                unacknowledged,
                List.of());
    }
}
