package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The heap is small, and what an app sends may be large. */
class MemoryIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void largeRequestsDoNotEndTheSidecarThoughTheStoreIsFrozen() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var child = new ChildSidecar("a", REDIS.address(), 30)) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().atMost(Duration.ofSeconds(60)).until(() -> child.status("GET", "/v1/jobs/mail", "") == 200);
            var large = "{\"delay\":\"1h\",\"payload\":\"" + "x".repeat(255_000) + "\"}";
            var body = "[" + (large + ",").repeat(3) + large + "]";

            assertThat(answersTo(body, child)).contains(202).isSubsetOf(202, 503);
            REDIS.pause(true);
            try {
                // 0: no answer within the patience of the caller.
                assertThat(answersTo(body, child)).isSubsetOf(0, 207, 503);
            } finally {
                REDIS.pause(false);
            }

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> child.status("POST", "/v1/jobs/mail/tasks", body) == 202);
            assertThat(child.process().isAlive()).isTrue();
        }
    }

    private static Set<Integer> answersTo(String body, ChildSidecar child) {
        var statuses = Collections.synchronizedSet(new TreeSet<Integer>());
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 24)
                    .forEach(i -> callers.submit(() -> {
                        for (int round = 0; round < 3; round++) {
                            statuses.add(child.status("POST", "/v1/jobs/mail/tasks", body));
                        }
                    }));
        }
        return statuses;
    }
}
