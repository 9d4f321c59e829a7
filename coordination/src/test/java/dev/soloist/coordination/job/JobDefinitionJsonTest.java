package dev.soloist.coordination.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Every;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators and sidecars of different versions understand of each other. */
class JobDefinitionJsonTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Backoff SOON = new Backoff(SECOND, 2, SECOND);
    private static final DelayedWork MAILS = new DelayedWork(SECOND, 3, SOON, 4, OnDuplicate.REJECT);
    private static final SingletonWork NIGHTLY = new SingletonWork(new Every(SECOND), new Retry(3, SOON));

    private static JobDefinition job(Durability durability) {
        return job(durability, MAILS);
    }

    private static JobDefinition job(Durability durability, Work work) {
        return new JobDefinition(
                new JobId("shop", "mail"),
                "uid",
                1,
                2,
                false,
                new Trigger(8080, "/mail", SECOND),
                new LeasePolicy(
                                SECOND.multipliedBy(30),
                                true,
                                SECOND.multipliedBy(10),
                                ReleasePolicy.ON_COMPLETION,
                                Duration.ZERO,
                                SECOND,
                                SECOND,
                                SECOND)
                        .with(durability)
                        .with(Safety.LENIENT),
                work);
    }

    static Stream<JobDefinition> definitions() {
        var streamed = new Transport.Stream(Duration.ofHours(2), 5000);
        var limits = new TaskLimits(1, 2, SECOND, 4);
        return Stream.of(
                job(Durability.LOCAL),
                job(Durability.LOCAL).withEventLog(50),
                job(Durability.LOCAL, MAILS.with(streamed)),
                job(Durability.LOCAL, MAILS.with(Delivery.AT_MOST_ONCE).with(limits)),
                job(Durability.LOCAL, MAILS.with(new Deduplication(SECOND, false, ReleaseOn.SUCCESS))),
                job(Durability.LOCAL, MAILS.with(new Deduplication(SECOND, true, ReleaseOn.TERMINAL))),
                job(Durability.LOCAL, MAILS.with(new RateLimit(5, SECOND))),
                job(Durability.LOCAL, MAILS.withShards(64)),
                job(Durability.LOCAL, new BroadcastWork()),
                job(Durability.LOCAL, NIGHTLY),
                job(Durability.LOCAL, new SingletonWork(NIGHTLY.schedule(), Misfire.SKIP, NIGHTLY.retry(), SECOND)),
                onHash(job(Durability.LOCAL, NIGHTLY)));
    }

    private static JobDefinition onHash(JobDefinition job) {
        return new JobDefinition(
                job.id(),
                job.uid(),
                job.generation(),
                job.term(),
                job.suspended(),
                job.trigger(),
                job.policy().with(Backend.HASH),
                job.work());
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void everyKindOfDefinitionIsReadAsItWasWritten(JobDefinition definition) {
        assertThat(JobDefinitionJson.read(JobDefinitionJson.write(definition))).isEqualTo(definition);
    }

    /** A version that knows no {@code needs} looks for the work beside the name, and leaves out a job without any. */
    @ParameterizedTest
    @MethodSource("definitions")
    void aVersionOfBeforeFindsNoWorkWhosePromiseItWouldBreak(JobDefinition definition) {
        var asked = Feature.of(definition);
        var text = JobDefinitionJson.write(definition);

        var withoutNeeds = text.replaceFirst("\"work\":\\{", "\"later\":{").replaceFirst("\"needs\":", "\"n\":");
        if (asked.isEmpty()) {
            assertThat(JobDefinitionJson.read(withoutNeeds)).isEqualTo(definition);
        } else {
            assertThatThrownBy(() -> JobDefinitionJson.read(withoutNeeds)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aJobThatNeedsWhatThisVersionLacksIsNotRead() {
        var newer = JobDefinitionJson.write(job(Durability.LOCAL, MAILS.withShards(2)))
                .replace("\"SHARDS\"", "\"SHARDS\",\"TELEPORT\"");

        assertThatThrownBy(() -> JobDefinitionJson.read(newer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it needs TELEPORT, which this version does not have");
    }

    @Test
    void whatAnOperatorOfBeforeWroteIsTheWorkOfBefore() {
        var old = JobDefinitionJson.write(job(Durability.LOCAL)).replaceFirst(",\"limits\":\\{[^}]*}", "");

        assertThat(old).doesNotContain("limits", "backend", "stream", "shards", "needs", "eventLog");
        assertThat(JobDefinitionJson.read(old)).isEqualTo(job(Durability.LOCAL));
        assertThat(Feature.of(job(Durability.LOCAL))).isEmpty();
    }

    @Test
    void aDefinitionIsReadAsItWasWritten() {
        var replicated = job(new Durability.Replicated(2, Duration.ofMillis(300)));

        assertThat(JobDefinitionJson.read(JobDefinitionJson.write(replicated))).isEqualTo(replicated);
        assertThat(JobDefinitionJson.read(JobDefinitionJson.write(job(Durability.LOCAL))))
                .isEqualTo(job(Durability.LOCAL));
    }

    @Test
    void whatAnOperatorOfBeforeWroteAsksForNoReplicas() {
        var old = JobDefinitionJson.write(job(Durability.LOCAL));

        assertThat(old).doesNotContain("replicated");
        assertThat(JobDefinitionJson.read(old).policy().durability()).isEqualTo(Durability.LOCAL);
    }

    @Test
    void aFieldOfALaterVersionIsPassedOver() {
        var newer = JobDefinitionJson.write(job(new Durability.Replicated(1, SECOND)))
                .replace("{\"replicas\":1", "{\"quorum\":true,\"replicas\":1")
                .replace("\"policy\":{", "\"policy\":{\"later\":[1],");

        assertThat(JobDefinitionJson.read(newer)).isEqualTo(job(new Durability.Replicated(1, SECOND)));
    }
}
