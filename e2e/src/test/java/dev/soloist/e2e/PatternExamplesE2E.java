package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each folder of examples/ about one pattern can be applied as it stands: every job and every pod becomes ready. */
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

    @AfterEach
    void removeWhatWasApplied() {
        CLUSTER.kubectl("-n", "shop", "delete", "djob", "--all", "--timeout=60s");
        CLUSTER.kubectl("-n", "shop", "delete", "lockpol,deployment", "--all", "--timeout=60s");
    }

    @AfterAll
    static void removeTheNamespace() {
        CLUSTER.kubectl("delete", "namespace", "shop", "--timeout=120s");
    }

    @ParameterizedTest
    @MethodSource("folders")
    void jobsAndPodsBecomeReady(String folder) {
        CLUSTER.kubectl("apply", "-f", "/soloist/examples/" + folder);

        String jobs = CLUSTER.kubectl("-n", "shop", "get", "djob", "-o", "name");
        assertThat(jobs).isNotBlank();
        String waited =
                CLUSTER.tryKubectl("-n", "shop", "wait", "--for=condition=Ready", "djob", "--all", "--timeout=2m");
        assertThat(Cluster.lines(waited))
                .as("%s; %s", waited, CLUSTER.describe("shop"))
                .hasSameSizeAs(Cluster.lines(jobs))
                .allMatch(line -> line.endsWith("condition met"));
        for (String deployment : Cluster.lines(CLUSTER.kubectl("-n", "shop", "get", "deployment", "-o", "name"))) {
            CLUSTER.kubectl("-n", "shop", "rollout", "status", deployment, "--timeout=2m");
        }
    }
}
