package dev.soloist.coordination.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A board that the former version's operator wrote, in the hands of this one. */
class FormerBoardIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    @Test
    void aFormerBoardIsReadAndAnAssignmentIsWrittenAsBefore() {
        String assignment = FormerVersion.read("assignment.json").orElseThrow().strip();
        try (RedisLink link = REDIS.link()) {
            link.call("HSET", KEYS.assignments("shop"), "pod-uid", assignment);
            JobDefinition[] jobs = Stream.of("singleton.json", "delayed.json")
                    .map(file -> FormerVersion.read(file).orElseThrow())
                    .peek(text -> link.call(
                            "HSET",
                            KEYS.jobs("shop"),
                            JobDefinitionJson.read(text).id().name(),
                            text))
                    .map(JobDefinitionJson::read)
                    .toArray(JobDefinition[]::new);
            var board = new Registrations(new ScriptRunner(link), KEYS);

            var read = board.read("shop", "pod-uid");
            assertThat(read.eligible()).isTrue();
            assertThat(read.jobs()).containsExactlyInAnyOrder(jobs);

            board.assign("shop", "pod-2", new Assignment("shop-0", true, Set.of("nightly", "mails")));
            assertThat(new String(
                            (byte[]) link.call("HGET", KEYS.assignments("shop"), "pod-2")
                                    .getFirst(),
                            StandardCharsets.UTF_8))
                    .isEqualTo(assignment);
        }
    }
}
