package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.LockPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job may ask for on a store without scripts, and what its user reads otherwise. */
class FeaturesTest {

    private static Pass pass(String spec, String policy) throws Exception {
        var job = ApiSerialization.strict().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: DistributedJob
                        metadata: {name: j, namespace: ns, uid: u, generation: 7}
                        spec:
                          selector: {matchLabels: {app: j}}
                          trigger: {port: 8080, path: /}
                          %s
                        """.formatted(spec), DistributedJob.class);
        var careful = ApiSerialization.strict().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: LockPolicy
                        metadata: {name: careful, namespace: ns}
                        spec: %s
                        """.formatted(policy), LockPolicy.class);
        var pass = new Pass(job, List.of(), Optional.of(careful));
        pass.effective = EffectiveJob.of(job);
        assertThat(new Define().run(pass)).isEqualTo(Step.Next.GO_ON);
        return pass;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            delayed: {transport: Stream}                       | spec.delayed.transport Stream needs a store with scripts
            delayed: {delivery: AtMostOnce, maxAttempts: 1}    | spec.delayed.delivery AtMostOnce needs a store with scripts
            delayed: {deduplication: {}}                       | spec.delayed.deduplication needs a store with scripts
            delayed: {rateLimit: {max: 1, per: 1s}}            | spec.delayed.rateLimit needs a store with scripts
            delayed: {shards: 2}                               | spec.delayed.shards above 1 needs a store with scripts
            delayed: {} & eventLog: {}                         | spec.eventLog needs a store with scripts
            """)
    void whatNeedsScriptsIsRefusedWithTheFieldAndWhatToChange(String spec, String sentence) throws Exception {
        var flat = spec.replace(" & ", "\n  ");
        var pass = pass(flat, "{}");

        assertThat(new JudgeFeatures(StoreMode.Cas::new).run(pass)).isEqualTo(Step.Next.STOP);

        assertThat(pass.problem).isNotNull();
        assertThat(pass.problem.remedy()).isEqualTo(Problem.Remedy.EDIT);
        assertThat(pass.problem.reason()).isEqualTo(Reasons.NOT_ON_THIS_STORE);
        assertThat(pass.problem.message()).startsWith(sentence).containsAnyOf("set ", "remove ");
        assertThat(new JudgeFeatures(StoreMode.Scripted::new).run(pass(flat, "{}")))
                .isEqualTo(Step.Next.GO_ON);
    }

    @Test
    void aLeaseInTheListOfAllLeasesNeedsScriptsToo() throws Exception {
        var pass = pass("lockPolicy: careful\n  singleton: {schedule: {every: 30s}}", "{backend: Hash}");

        assertThat(new JudgeFeatures(StoreMode.Cas::new).run(pass)).isEqualTo(Step.Next.STOP);

        assertThat(pass.problem).isNotNull();
        assertThat(pass.problem.message()).startsWith("LockPolicy spec.backend Hash needs a store with scripts");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            singleton: {schedule: {every: 30s}, cooldown: 10s}
            delayed: {maxPayload: 1Mi, maxDepth: 5}
            broadcast: {}
            """)
    void whatNeedsNoScriptsIsOfferedThere(String spec) throws Exception {
        assertThat(new JudgeFeatures(StoreMode.Cas::new).run(pass(spec, "{}"))).isEqualTo(Step.Next.GO_ON);
    }
}
