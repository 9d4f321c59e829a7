package dev.soloist.coordination.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What operators and sidecars of different versions understand of each other. */
class JobDefinitionJsonTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static JobDefinition job(Durability durability) {
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
                        SECOND,
                        durability,
                        Safety.LENIENT),
                new DelayedWork(SECOND, 3, new Backoff(SECOND, 2, SECOND), 4, OnDuplicate.REJECT));
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
