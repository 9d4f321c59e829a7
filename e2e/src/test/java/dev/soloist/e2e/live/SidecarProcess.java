package dev.soloist.e2e.live;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.contract.Variable;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sidecar of a pod as a process of this machine, with the environment that the kubelet makes of the pod's. */
final class SidecarProcess implements AutoCloseable {

    private final Path folder;
    private final int apiPort = RedisProcess.freePort();
    private final ChildProcess process;

    /** Starts it and waits until it has started in the eyes of its probe. */
    SidecarProcess(InjectedPod pod, Path parent, Map<StoreFile, String> store) throws IOException {
        this.folder = Files.createDirectories(parent.resolve(pod.name()));
        var files = Files.createDirectories(folder.resolve("store"));
        for (var file : store.entrySet()) {
            Files.writeString(files.resolve(file.getKey().fileName()), file.getValue());
        }
        int metricsPort = InjectedPod.sidecar(pod.pod()).getPorts().getFirst().getContainerPort();
        this.process = ChildProcess.ofModule("sidecar", folder, environment(pod, metricsPort))
                .awaitOk("http://127.0.0.1:" + metricsPort + "/startupz");
    }

    /** Where the pod's app finds the API. */
    String api() {
        return "http://127.0.0.1:" + apiPort;
    }

    String token() throws IOException {
        return Files.readString(folder.resolve("token")).strip();
    }

    String logTail() {
        return process.logTail();
    }

    /** Ends it at once; nobody tells the API server. */
    void kill() {
        process.kill();
    }

    private Map<String, String> environment(InjectedPod pod, int metricsPort) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (var variable : InjectedPod.sidecar(pod.pod()).getEnv()) {
            environment.put(variable.getName(), value(pod, variable.getName(), variable.getValue()));
        }
        environment.put(Variable.API_PORT.key(), Integer.toString(apiPort));
        environment.put(Variable.METRICS_ADDRESS.key(), "127.0.0.1");
        environment.put(Variable.METRICS_PORT.key(), Integer.toString(metricsPort));
        environment.put(Variable.STORE_DIR.key(), folder.resolve("store").toString());
        environment.put(Variable.TOKEN_FILE.key(), folder.resolve("token").toString());
        return environment;
    }

    private static String value(InjectedPod pod, String name, String literal) {
        return switch (name) {
            case "POD_NAME" -> pod.name();
            case "POD_NAMESPACE" -> pod.namespace();
            case "POD_UID" -> pod.uid();
            default -> literal.replace("$(POD_UID)", pod.uid());
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
