package dev.soloist.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * One real one-node cluster for all tests of this JVM, with Soloist installed by {@code kubectl apply -k config/default}
 * as a user would. Started at the first use, ended with the JVM.
 */
final class Cluster {

    /** What the tests run besides Soloist itself. */
    private static final String REDIS_IMAGE = env("REDIS_IMAGE", "redis:7");

    private static final String PYTHON_IMAGE = env("PYTHON_IMAGE", "python:3-slim");
    private static final List<String> IMAGES = List.of(
            "soloist-operator:dev",
            "soloist-sidecar:dev",
            "soloist-example-java:dev",
            "soloist-example-python:dev",
            "redis:7",
            "soloist-e2e-app:dev");

    /** What a busy API server says that would say something else a moment later. */
    private static final Pattern OUT_OF_BREATH = Pattern.compile("Unable to connect to the server|connection refused"
            + "|TLS handshake timeout|i/o timeout|etcdserver: |unexpected EOF|client connection lost"
            + "|ServiceUnavailable|the server is currently unable|TooManyRequests|error dialing backend");

    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private static final Cluster INSTANCE = new Cluster();

    private final K3sContainer k3s;

    private Cluster() {
        tag(REDIS_IMAGE, "redis:7");
        tag(PYTHON_IMAGE, "soloist-e2e-app:dev");
        Path images = saveImages();
        k3s = new K3sContainer(DockerImageName.parse(env("K3S_IMAGE", "rancher/k3s:v1.34.4-k3s1"))
                .asCompatibleSubstituteFor("rancher/k3s"));
        k3s.withCopyFileToContainer(MountableFile.forHostPath(images), "/var/lib/rancher/k3s/agent/images/soloist.tar")
                .withCopyFileToContainer(MountableFile.forHostPath(REPOSITORY.resolve("config")), "/soloist/config")
                .withCopyFileToContainer(MountableFile.forHostPath(REPOSITORY.resolve("examples")), "/soloist/examples")
                .withCopyFileToContainer(
                        MountableFile.forHostPath(REPOSITORY.resolve("e2e/src/test/resources/e2e")), "/soloist/e2e")
                .withStartupTimeout(Duration.ofMinutes(6));
        k3s.start();
        Runtime.getRuntime().addShutdownHook(new Thread(k3s::stop));
        install();
    }

    /** The cluster, with Soloist installed and ready. */
    static Cluster get() {
        return INSTANCE;
    }

    /** Runs kubectl and returns its output; fails when it fails, but not because the API server was out of breath. */
    String kubectl(String... arguments) {
        var command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        for (int breaths = 0; breaths < 20; breaths++) {
            ExecResult result = exec(command.toArray(String[]::new));
            if (result.getExitCode() == 0
                    || !OUT_OF_BREATH.matcher(result.getStderr()).find()) {
                return output(result, command);
            }
            exec("sleep", "3");
        }
        return run(command.toArray(String[]::new));
    }

    /** Runs kubectl and returns its output, errors included, whether it succeeds or not. */
    String tryKubectl(String... arguments) {
        var command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        ExecResult result = exec(command.toArray(String[]::new));
        return result.getStdout() + result.getStderr();
    }

    /** Applies manifests given as text. */
    void apply(String manifests) {
        String file = "/tmp/" + Integer.toHexString(manifests.hashCode()) + ".yaml";
        k3s.copyFileToContainer(Transferable.of(manifests.getBytes(StandardCharsets.UTF_8)), file);
        // Again, for a new namespace has no service account yet, and the injector may be between two replicas.
        await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> kubectl("apply", "-f", file));
    }

    /** Runs a command on the node, which sees the processes of all pods; fails when it fails. */
    String run(String... command) {
        return output(exec(command), List.of(command));
    }

    private static String output(ExecResult result, List<String> command) {
        if (result.getExitCode() != 0) {
            throw new AssertionError(String.join(" ", command) + "\n" + result.getStdout() + result.getStderr());
        }
        return result.getStdout();
    }

    /** The log of a component of the cluster itself, for a failure's message. */
    String describe(String namespace) {
        return tryKubectl("-n", namespace, "get", "pods,djob,events", "-o", "wide");
    }

    /** Runs a command on the node, whether it succeeds or not. */
    ExecResult exec(String... command) {
        try {
            return k3s.execInContainer(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void install() {
        // A second apply is what a user does when the CRDs are not served yet at the first.
        tryKubectl("apply", "--server-side", "-k", "/soloist/config/default");
        kubectl("wait", "--for=condition=Established", "--timeout=240s", "crd/distributedjobs.soloist.dev");
        kubectl("apply", "--server-side", "-k", "/soloist/config/default");
        awaitInstalled();
    }

    /** Waits until every part of Soloist serves. */
    void awaitInstalled() {
        try {
            kubectl(
                    "-n",
                    "soloist-system",
                    "wait",
                    "--for=condition=Available",
                    "--timeout=240s",
                    "deployment",
                    "--all");
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage()
                            + tryKubectl("-n", "soloist-system", "describe", "pods")
                            + tryKubectl(
                                    "-n",
                                    "soloist-system",
                                    "logs",
                                    "--all-containers",
                                    "--tail=60",
                                    "-l",
                                    "app.kubernetes.io/part-of=soloist"),
                    e);
        }
    }

    private static Path saveImages() {
        try {
            Path tar = Files.createTempFile("soloist-images", ".tar");
            tar.toFile().deleteOnExit();
            var command = new ArrayList<>(List.of("docker", "save", "--output", tar.toString()));
            command.addAll(IMAGES);
            docker(command);
            return tar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tag(String image, String name) {
        if (!image.equals(name)) {
            docker(List.of("docker", "tag", image, name));
        }
    }

    private static void docker(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(6, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String env(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : value;
    }

    /** Splits output into its lines, none of them blank. */
    static List<String> lines(String output) {
        return Arrays.stream(output.split("\n"))
                .map(String::trim)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
