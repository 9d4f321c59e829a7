package dev.soloist.operator.local;

import dev.soloist.coordination.contract.AppEnvironment;
import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.coordination.contract.Variable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A pod of two processes: the sample app and its sidecar. Each start has a new UID.
final class LocalPod {

    private static final List<String> SMALL_JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m");
    private static final int GRACE_SECONDS = 10;

    private final String name;
    private final String uid = UUID.randomUUID().toString();
    private final PodSettings settings;
    private final PodFiles files;
    private final int appPort = FreePort.next();
    private final int apiPort = FreePort.next();
    private final int metricsPort = FreePort.next();
    private volatile boolean ending;
    private final Children children;
    private final PodWatcher watcher;
    private final ContainerProcess app = new ContainerProcess("app");
    private final ContainerProcess sidecar = new ContainerProcess("sidecar");

    private LocalPod(String name, PodSettings settings, Children children, PodWatcher watcher) throws IOException {
        this.name = name;
        this.settings = settings;
        this.children = children;
        this.watcher = watcher;
        this.files = PodFiles.create(settings.folder().resolve(name), settings.redis());
    }

    /// Starts both processes and returns at once.
    static LocalPod start(String name, PodSettings settings, Children children, PodWatcher watcher) throws IOException {
        var pod = new LocalPod(name, settings, children, watcher);
        pod.startSidecar();
        pod.startApp();
        return pod;
    }

    /// Starts the container again that has ended.
    void restart(String container) throws IOException {
        if (container.equals("app")) {
            startApp();
        } else {
            startSidecar();
        }
    }

    private void startSidecar() throws IOException {
        var log = files.log("sidecar");
        sidecar.started(children.start(sidecarCommand(), sidecarEnvironment(), log), this::ended);
    }

    private void startApp() throws IOException {
        var process = children.startTalking(appCommand(), appEnvironment(), files.log("app"));
        app.started(process, this::ended);
        Thread.ofVirtual().name("lines of " + name).start(() -> read(process));
    }

    private void ended(String container) {
        watcher.ended(this, container);
    }

    private void read(Process process) {
        try (var output = process.inputReader()) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                AppLine.parse(line).ifPresent(told -> watcher.told(this, told));
            }
        } catch (IOException ended) {
            // the process was killed, and its pipe closed under the reader
        }
    }

    String name() {
        return name;
    }

    String uid() {
        return uid;
    }

    Path log(String container) {
        return files.log(container);
    }

    /// Address of the app's own calls, such as `/healthz`.
    URI app(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + appPort + pathAndQuery);
    }

    /// Address of the sidecar's probes.
    URI probe(String path) {
        return URI.create("http://127.0.0.1:" + metricsPort + path);
    }

    boolean alive() {
        return app.isAlive() && sidecar.isAlive();
    }

    /// Whether it is being ended as a whole; else a container that ends is started again.
    boolean ending() {
        return ending;
    }

    /// Whether both processes are gone for good.
    boolean terminated() {
        return ending && !app.isAlive() && !sidecar.isAlive();
    }

    /// Ends both at once, as a deletion without grace does.
    void kill() {
        ending = true;
        app.kill();
        sidecar.kill();
    }

    /// Ends one of them at once, as a crash does.
    void crash(String container) {
        (container.equals("app") ? app : sidecar).kill();
    }

    private List<String> appCommand() {
        var classes = settings.app();
        return java(List.of("-cp", classes.folder().toString(), classes.mainClass()));
    }

    private List<String> sidecarCommand() {
        return java(List.of("-jar", settings.sidecarJar().toString()));
    }

    private static List<String> java(List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(arguments);
        return command;
    }

    private Map<String, String> appEnvironment() {
        var environment =
                new HashMap<>(new AppEnvironment(apiPort, files.token().toString()).toEnvironment());
        environment.put("PORT", String.valueOf(appPort));
        environment.put("POD_NAME", name);
        environment.put("WORK_MILLIS", "700");
        return environment;
    }

    private Map<String, String> sidecarEnvironment() {
        var injected = new SidecarEnvironment(
                settings.install().name(),
                apiPort,
                "127.0.0.1",
                metricsPort,
                files.store().toString(),
                files.token().toString(),
                GRACE_SECONDS,
                "INFO");
        var environment = new HashMap<>(injected.toEnvironment());
        environment.put(Variable.POD_NAME.key(), name);
        environment.put(Variable.POD_NAMESPACE.key(), settings.namespace());
        environment.put(Variable.POD_UID.key(), uid);
        environment.put(Variable.SEGMENT.key(), uid);
        environment.put(Variable.TRIGGER_PORT.key(), String.valueOf(appPort));
        return environment;
    }
}
