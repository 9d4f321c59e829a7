package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.Deduplication;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.TaskLimits;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.JobId;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.crds.policy.LockPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What users write reaches the sidecars as they wrote it. */
class DefinitionsTest {

    private static JobDefinition definition(String spec, String policy) throws Exception {
        var job = ApiSerialization.strict().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: DistributedJob
                        metadata: {name: j, namespace: ns}
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
        var identity = new Definitions.Identity(new JobId("ns", "j"), "uid", 1);
        return Definitions.of(identity, 1, EffectiveJob.of(job), EffectivePolicy.of(careful));
    }

    private static DelayedWork delayed(String spec) throws Exception {
        return (DelayedWork) definition("delayed: " + spec, "{}").work();
    }

    @Test
    void aSingletonHasItsCooldownItsBackEndAndItsEventLog() throws Exception {
        var job = definition(
                "singleton: {schedule: {every: 30s}, cooldown: 90s}\n  eventLog: {maxLength: 7}", "{backend: Hash}");

        assertThat(((SingletonWork) job.work()).cooldown()).isEqualTo(Duration.ofSeconds(90));
        assertThat(job.policy().backend()).isEqualTo(Backend.HASH);
        assertThat(job.eventLogLength()).isEqualTo(7);
    }

    @Test
    void aSingletonOfWhichNothingIsSaidRestsNotAndKeepsAThousandEvents() throws Exception {
        var job = definition("singleton: {schedule: {every: 30s}}", "{}");

        assertThat(((SingletonWork) job.work()).cooldown()).isZero();
        assertThat(job.policy().backend()).isEqualTo(Backend.STRING);
        assertThat(job.eventLogLength()).isEqualTo(1000);
    }

    @Test
    void delayedWorkHasAllThatWasWritten() throws Exception {
        var work = delayed(
                "{maxPayload: 64Ki, maxDepth: 5, deadLetter: {maxAge: 2h, maxLength: 3}, rateLimit: {max: 9, per: 2s},"
                        + " deduplication: {window: 3m, localCache: false, releaseOn: Success}}");

        assertThat(work.limits()).isEqualTo(new TaskLimits(64 * 1024, 5, Duration.ofHours(2), 3));
        assertThat(work.rateLimit()).isEqualTo(new RateLimit(9, Duration.ofSeconds(2)));
        assertThat(work.deduplication()).isEqualTo(new Deduplication(Duration.ofMinutes(3), false, ReleaseOn.SUCCESS));
        assertThat(delayed("{transport: Stream, stream: {retention: 1h, maxLength: 2000}}")
                        .transport())
                .isEqualTo(new Transport.Stream(Duration.ofHours(1), 2000));
        assertThat(delayed("{delivery: AtMostOnce, maxAttempts: 1}").delivery()).isEqualTo(Delivery.AT_MOST_ONCE);
        assertThat(delayed("{shards: 8}").shards()).isEqualTo(8);
    }

    @Test
    void delayedWorkOfWhichNothingIsSaidIsThatOfBefore() throws Exception {
        var work = delayed("{}");

        assertThat(work)
                .isEqualTo(new DelayedWork(
                        work.visibilityTimeout(),
                        work.maxAttempts(),
                        work.backoff(),
                        work.concurrency(),
                        work.onDuplicate()));
    }

    @Test
    void aBroadcastKeepsNoEvents() throws Exception {
        var job = definition("broadcast: {}", "{}");

        assertThat(job.work()).isEqualTo(new BroadcastWork());
        assertThat(job.eventLogLength()).isZero();
    }
}
