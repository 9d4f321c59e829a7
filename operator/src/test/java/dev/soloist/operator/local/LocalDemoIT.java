package dev.soloist.operator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `make demo` as a user runs it, from the packaged jars of operator and sidecar.
class LocalDemoIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("holds it, fence (\\S+)");

    /** Seconds. Nobody but the operator can be that quick: the lease lasts 30 s and is renewed every 5 s. */
    private static final String FAILOVER_WITHIN = "20";

    @TempDir
    Path temporary;

    @Test
    @Timeout(480)
    @DisplayName(
            "The failover script shows one run at a time, rising fences, a failover and all tasks, and leaves nothing behind")
    void theFailoverScriptKeepsItsPromises() throws Exception {
        var output = temporary.resolve("output");
        var scratch = Files.createDirectory(temporary.resolve("scratch"));

        var demo =
                demo(output, scratch, "--script", "failover", "--seconds", "240", "--failover-within", FAILOVER_WITHIN);
        assertThat(demo.waitFor(420, TimeUnit.SECONDS)).isTrue();

        var text = Files.readString(output);
        assertThat(demo.exitValue()).as(text).isZero();
        assertThat(text).doesNotContain("BROKEN");
        assertThat(text.lines().filter(line -> line.startsWith("  kept "))).hasSize(7);
        assertThat(fences(text))
                .as(text)
                .hasSizeGreaterThanOrEqualTo(4)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(text)
                .containsSubsequence(
                        "kill ",
                        "both containers have terminated",
                        "is free again, without waiting for its ttl",
                        "attempt 2");
        assertThat(text).contains("12 of 12 done", "now looks after the delayed tasks of");
        assertThat(scratch).isEmptyDirectory();
        assertThat(demo.descendants()).isEmpty();
    }

    @Test
    @Timeout(480)
    @DisplayName("An app that never answers breaks the promises, and the exit code says so")
    void aBrokenPromiseIsNotHidden() throws Exception {
        var output = temporary.resolve("output");
        var scratch = Files.createDirectory(temporary.resolve("scratch"));

        var silent = Path.of("src/test/resources/local/Silent.java").toAbsolutePath();
        var demo = demo(output, scratch, "--script", "failover", "--seconds", "5", "--app", silent.toString());
        assertThat(demo.waitFor(420, TimeUnit.SECONDS)).isTrue();

        var text = Files.readString(output);
        assertThat(demo.exitValue()).as(text).isEqualTo(1);
        assertThat(text).contains("BROKEN the job runs", "BROKEN no accepted task is lost", "BROKEN failover");
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    @Timeout(480)
    @DisplayName("When it is killed so that it cannot clean up, its processes and its folder still go")
    void nothingOutlivesAKill() throws Exception {
        var output = temporary.resolve("output");
        var scratch = Files.createDirectory(temporary.resolve("scratch"));
        var demo = demo(output, scratch, "--script", "failover");
        waitUntil(() -> Files.exists(output) && Files.readString(output).contains("shop-3 is started"));
        var children = demo.descendants().toList();
        assertThat(children).hasSizeGreaterThanOrEqualTo(7);

        demo.destroyForcibly().waitFor();

        for (var child : children) {
            child.onExit().get(120, TimeUnit.SECONDS);
        }
        waitUntil(() -> isEmpty(scratch));
    }

    @Test
    @DisplayName("A manifest that an API server would refuse is refused with the same sentence")
    void aBadManifestIsRefused() throws Exception {
        var output = temporary.resolve("output");
        var scratch = Files.createDirectory(temporary.resolve("scratch"));
        var manifests = Files.createDirectory(temporary.resolve("manifests"));
        Files.writeString(manifests.resolve("job.yaml"), """
                apiVersion: soloist.dev/v1alpha1
                kind: DistributedJob
                metadata: { name: both, namespace: shop }
                spec:
                  selector: { matchLabels: { app: shop } }
                  trigger: { port: 8080, path: /jobs/both }
                """);

        var demo = demo(output, scratch, "--manifests", manifests.toString());
        assertThat(demo.waitFor(180, TimeUnit.SECONDS)).isTrue();

        assertThat(demo.exitValue()).isEqualTo(2);
        assertThat(output)
                .content()
                .contains("shop/both", "set exactly one of spec.singleton, spec.delayed and spec.broadcast");
    }

    private static Process demo(Path output, Path scratch, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(ROOT.resolve(".make/demo").toString(), "--scratch", scratch.toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("REDIS_URL");
        builder.environment().remove("DEMO_SCRIPT");
        return builder.start();
    }

    private static List<String> fences(String text) {
        var fences = new ArrayList<String>();
        var matcher = FENCE.matcher(text);
        while (matcher.find()) {
            fences.add(matcher.group(1));
        }
        return fences;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static void waitUntil(Callable<Boolean> fact) {
        await().atMost(Duration.ofSeconds(180)).until(fact);
    }
}
