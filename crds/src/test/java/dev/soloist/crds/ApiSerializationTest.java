package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.job.JobRules;
import dev.soloist.crds.job.LastRun;
import dev.soloist.crds.job.OnDuplicate;
import dev.soloist.crds.job.PodCounts;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.PolicyRules;
import dev.soloist.crds.policy.ReleasePolicy;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiSerializationTest {

    private static final String OF_A_NEWER_VERSION = """
            apiVersion: soloist.dev/v1alpha1
            kind: DistributedJob
            metadata: { name: newer }
            spec:
              selector: { matchLabels: { app: shop } }
              trigger: { port: 8080, path: /jobs }
              priority: high
              delayed: { onDuplicate: Merge, ordered: true }
            status: { weather: fine }
            """;

    @Test
    void aFieldOrValueOfANewerVersionDoesNotStopTheReader() {
        var job = ApiSerialization.lenient().unmarshal(OF_A_NEWER_VERSION, DistributedJob.class);

        assertThat(job.getSpec().delayed().onDuplicate()).isEqualTo(OnDuplicate.UNKNOWN);
    }

    @Test
    void aValueOfANewerVersionIsRefusedByTheRulesAndNotTakenForTheDefault() {
        var job = ApiSerialization.lenient().unmarshal(OF_A_NEWER_VERSION, DistributedJob.class);

        assertThat(JobRules.check(job))
                .containsExactly(new Violation(
                        "spec.delayed.onDuplicate",
                        "supported values: \"KeepEarliest\", \"KeepLatest\", \"Reject\", \"Replace\""));
    }

    @Test
    void aPolicyOfANewerVersionIsReadAndRefused() {
        var policy = ApiSerialization.lenient().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: LockPolicy
                        metadata: { name: newer }
                        spec: { safety: Strict, release: { policy: Never } }
                        """, LockPolicy.class);

        assertThat(policy.getSpec().release().policy()).isEqualTo(ReleasePolicy.UNKNOWN);
        assertThat(PolicyRules.check(policy)).extracting(Violation::field).containsExactly("spec.release.policy");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    singleton: { schedule: every minute }                   | spec.singleton.schedule
                    singleton: { schedule: { every: { seconds: 5 } } }      | spec.singleton.schedule
                    singleton: { schedule: { cron: [0, 2, 5] } }            | spec.singleton.schedule
                    singleton: { schedule: { cron: 5 } }                    | spec.singleton.schedule.cron
                    singleton: hourly                                       | spec
                    singleton: [1, 2]                                       | spec
                    """)
    void v02_aStoredSpecOfTheWrongKindIsReadAndRefused(String work, String field) {
        var job = ApiSerialization.lenient()
                .unmarshal(
                        OF_A_NEWER_VERSION.replace("delayed: { onDuplicate: Merge, ordered: true }", work),
                        DistributedJob.class);

        assertThat(JobRules.check(job)).extracting(Violation::field).containsExactly(field);
    }

    @Test
    void v02_aStoredStatusOfTheWrongKindIsReadAsAbsent() {
        var job = ApiSerialization.lenient()
                .unmarshal(
                        OF_A_NEWER_VERSION.replace(
                                "status: { weather: fine }",
                                "status: { lastSuccess: yesterday, term: many, pods: 3, conditions: none, delayed: { dead: x } }"),
                        DistributedJob.class);

        assertThat(job.getStatus().getLastSuccess()).isNull();
        assertThat(job.getStatus().getDelayed().dead()).isZero();
    }

    @Test
    void theStrictReaderRefusesAnUnknownField() {
        var inside = OF_A_NEWER_VERSION.replace("onDuplicate: Merge, ordered: true", "concurency: 3");
        var above = OF_A_NEWER_VERSION.replace("delayed: { onDuplicate: Merge, ordered: true }", "delayed: {}");

        assertThatThrownBy(() -> ApiSerialization.strict().unmarshal(inside, DistributedJob.class))
                .hasMessageContaining("concurency");
        assertThatThrownBy(() -> ApiSerialization.strict().unmarshal(above, DistributedJob.class))
                .hasMessageContaining("priority");
    }

    @Test
    void theStrictReaderRefusesAnUnknownValue() {
        var merge = OF_A_NEWER_VERSION.replace("  priority: high\n", "").replace(", ordered: true", "");

        assertThatThrownBy(() -> ApiSerialization.strict().unmarshal(merge, DistributedJob.class))
                .hasMessageContaining("Merge");
    }

    @Test
    void aStatusIsReadBackAsItWasWritten() {
        var status = new DistributedJobStatus();
        status.setPods(PodCounts.of(2, 3, 1));
        status.setLastRun(new LastRun("r1", "shop-1", Instant.parse("2026-01-01T02:00:00Z"), null, null, null));
        status.setLastSuccess(Instant.parse("2026-01-01T02:00:01.250Z"));
        var job = new DistributedJob();
        job.setStatus(status);

        var yaml = ApiSerialization.lenient().asYaml(job);

        assertThat(yaml)
                .contains("start: \"2026-01-01T02:00:00Z\"", "summary: \"2/4\"")
                .doesNotContain("null");
        var read =
                ApiSerialization.lenient().unmarshal(yaml, DistributedJob.class).getStatus();
        assertThat(read).usingRecursiveComparison().isEqualTo(status);
    }
}
