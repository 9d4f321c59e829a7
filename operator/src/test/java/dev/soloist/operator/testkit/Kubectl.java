package dev.soloist.operator.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Real kubectl against the test's API server. */
public final class Kubectl {

    private static final Path KUBECONFIG = writeKubeconfig();

    private Kubectl() {}

    /** Output of a command that must succeed. */
    public static String run(String... arguments) {
        var command = new ArrayList<>(List.of("kubectl", "--kubeconfig", KUBECONFIG.toString()));
        command.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("kubectl ends").isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Applies a manifest as it is, also one that our classes could not hold. */
    public static void apply(String manifest) {
        apply(manifest, "--validate=false");
    }

    public static void applyServerSide(String manifest) {
        apply(manifest, "--server-side", "--force-conflicts");
    }

    private static void apply(String manifest, String... options) {
        try {
            var file = Files.createTempFile("manifest", ".yaml");
            Files.writeString(file, manifest);
            var arguments = new ArrayList<>(List.of("apply", "-f", file.toString()));
            arguments.addAll(List.of(options));
            run(arguments.toArray(String[]::new));
            Files.delete(file);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Path writeKubeconfig() {
        try {
            var file = Files.createTempFile("kubeconfig", ".yaml");
            Files.writeString(file, ApiServer.kubeconfig());
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
