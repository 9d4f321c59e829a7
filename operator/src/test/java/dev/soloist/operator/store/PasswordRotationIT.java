package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.testkit.DocumentedUser;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.RunningOperator;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import dev.soloist.operator.testkit.Pods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator works as exactly the documented user, whose password changes under it. */
@Tag("api")
class PasswordRotationIT {

    private final RedisProcess redis = new RedisProcess();
    private RunningOperator operator;
    private JobId id;

    @BeforeEach
    void start() {
        redis.start();
        var rules = new ArrayList<>(List.of("SETUSER", "soloist"));
        rules.addAll(DocumentedUser.rules("operator", "first"));
        acl(rules.toArray(String[]::new));
        operator = RunningOperator.start(redis);
        operator.storeFile("username", "soloist");
        operator.storeFile("password", "first");
        var namespace = ApiServer.newNamespace();
        id = new JobId(namespace, "job");
        Pods.ready(namespace, "job", "job-1");
        Jobs.apply(Jobs.singleton(namespace, "job", "{every: 1h}"));
        awaitReady();
        await().atMost(Duration.ofSeconds(60)).until(() -> connections() > 0);
        acl("LOG", "RESET");
    }

    @AfterEach
    void stop() {
        operator.close();
        redis.close();
    }

    @Test
    void f11_theOperatorFollowsItsPasswordAndSaysWhenItIsWrong() {
        acl("SETUSER", "soloist", ">second");
        operator.storeFile("password", "wrong");
        acl("SETUSER", "soloist", "<first");
        kill();
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            assertThat(Jobs.condition(id, "StoreReady").getReason()).isEqualTo("AuthFailed");
            assertThat(Jobs.condition(id, "StoreReady").getMessage()).contains("WRONGPASS");
        });

        operator.storeFile("password", "second");
        awaitReady();
        acl("LOG", "RESET");

        // The next passes, under the documented rules and nothing more.
        Jobs.edit(id, "{\"spec\":{\"suspend\":true}}");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> "True".equals(Jobs.condition(id, "Suspended").getStatus()));
        try (var link = redis.link()) {
            assertThat(DocumentedUser.refusals(link)).isEmpty();
        }
    }

    private void awaitReady() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> "True".equals(Jobs.condition(id, "Ready").getStatus()));
    }

    private void acl(String... arguments) {
        try (var link = redis.link()) {
            link.call("ACL", arguments);
        }
    }

    private void kill() {
        try (var link = redis.link()) {
            link.call("CLIENT", "KILL", "USER", "soloist");
        }
    }

    private long connections() {
        try (var link = redis.link()) {
            return new String((byte[]) link.call("CLIENT", "LIST").getFirst())
                    .lines()
                    .filter(line -> line.contains("user=soloist "))
                    .count();
        }
    }
}
