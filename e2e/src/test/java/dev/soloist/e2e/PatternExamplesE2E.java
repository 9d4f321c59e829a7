package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of examples/ about one pattern is walked: every command of its README is entered, in order, and what the README says that
 * it prints is awaited. So a README cannot promise what does not happen, nor show what nobody has tried.
 */
class PatternExamplesE2E {

    private static final Cluster CLUSTER = Cluster.get();

    static List<String> folders() throws IOException {
        try (var folders = Files.list(Path.of("..", "examples"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.matches("1[0-9]-.*"))
                    .sorted()
                    .toList();
        }
    }

    /** Pods that are there before the namespace's access to Redis get it late: the READMEs say so, nobody has to wait for it here. */
    @BeforeAll
    static void makeTheNamespaceAndItsAccess() {
        CLUSTER.kubectl("apply", "-f", "/soloist/examples/16-broadcast/00.Namespace.shop.yaml");
        CLUSTER.kubectl("apply", "-f", "/soloist/examples/16-broadcast/02.DistributedJob.price-cache.yaml");
        CLUSTER.kubectl("-n", "shop", "wait", "--for=create", "--timeout=60s", "secret/soloist-store");
        CLUSTER.kubectl("-n", "shop", "delete", "djob", "--all", "--timeout=60s");
    }

    /** In the foreground: as long as a former ReplicaSet is there it makes pods, which the next example would take for its own. */
    @AfterEach
    void removeWhatWasApplied() {
        CLUSTER.kubectl("-n", "soloist-system", "scale", "deployment/soloist-operator", "--replicas=2");
        CLUSTER.awaitInstalled();
        CLUSTER.kubectl("-n", "shop", "delete", "djob", "--all", "--timeout=60s");
        CLUSTER.kubectl(
                "-n", "shop", "delete", "lockpol,deployment", "--all", "--cascade=foreground", "--timeout=120s");
    }

    @AfterAll
    static void removeTheNamespace() {
        CLUSTER.kubectl("delete", "namespace", "shop", "--timeout=120s");
    }

    @ParameterizedTest
    @MethodSource("folders")
    void whatTheReadmeSaysIsWhatHappens(String folder) {
        begin(folder).toTheEnd();
    }

    /** Enters the first block, then waits until each pod's sidecar knows each job. */
    private static Walk begin(String folder) {
        var walk = new Walk(CLUSTER, folder);
        walk.step();
        List<String> jobs = Cluster.lines(CLUSTER.kubectl("-n", "shop", "get", "djob", "-o", "name"));
        for (String pod : Cluster.lines(CLUSTER.kubectl("-n", "shop", "get", "pods", "-o", "name"))) {
            for (String job : jobs) {
                await().atMost(Duration.ofMinutes(2))
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> assertThat(CLUSTER.tryKubectl(
                                        "-n", "shop", "exec", pod, "-c", "app", "--", "python3", "-c", LOOK, job))
                                .as(() -> job + " in " + pod + "; " + CLUSTER.describe("shop"))
                                .contains("\"job\":"));
            }
        }
        return walk;
    }

    private static final String LOOK = """
            import os, sys
            from urllib.request import Request, urlopen
            token = open(os.environ["SOLOIST_TOKEN_FILE"]).read().strip()
            url = os.environ["SOLOIST_API"] + "/v1/jobs/" + sys.argv[1].split("/")[1]
            print(urlopen(Request(url, headers={"Authorization": "Bearer " + token})).read().decode())
            """;
}
