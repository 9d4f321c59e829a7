package dev.soloist.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A namespace with a recorder and, when asked for, an app of some replicas whose pods carry only the annotation. */
final class Stage implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Cluster cluster = Cluster.get();
    private final String namespace;

    /** Makes the namespace and starts the recorder in it. */
    Stage(String namespace) {
        this.namespace = namespace;
        cluster.kubectl("create", "namespace", namespace);
        cluster.kubectl(
                "-n",
                namespace,
                "create",
                "configmap",
                "scripts",
                "--from-file=/soloist/e2e/app.py",
                "--from-file=/soloist/e2e/recorder.py");
        cluster.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: recorder, namespace: %1$s, labels: {app: recorder}}
                spec:
                  terminationGracePeriodSeconds: 1
                  containers:
                    - name: recorder
                      image: soloist-e2e-app:dev
                      imagePullPolicy: Never
                      command: [python3, /scripts/recorder.py]
                      volumeMounts:
                        - {name: scripts, mountPath: /scripts}
                        - {name: records, mountPath: /records}
                  volumes:
                    - {name: scripts, configMap: {name: scripts}}
                    - {name: records, emptyDir: {}}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: recorder, namespace: %1$s}
                spec: {selector: {app: recorder}, ports: [{port: 9000}]}
                """.formatted(namespace));
        kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/recorder");
    }

    String namespace() {
        return namespace;
    }

    /** Starts a Deployment of the app; the only thing that ties it to Soloist is the annotation. */
    Stage app(String name, int replicas, double workSeconds) {
        cluster.apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %2$s, namespace: %1$s}
                spec:
                  replicas: %3$d
                  selector: {matchLabels: {app: %2$s}}
                  template:
                    metadata:
                      labels: {app: %2$s}
                      annotations: {soloist.dev/inject: "true"}
                    spec:
                      terminationGracePeriodSeconds: 10
                      containers:
                        - name: app
                          image: soloist-e2e-app:dev
                          imagePullPolicy: Never
                          command: [python3, -u, /scripts/app.py]
                          env: [{name: WORK_SECONDS, value: "%4$s"}]
                          volumeMounts: [{name: scripts, mountPath: /scripts}]
                      volumes:
                        - {name: scripts, configMap: {name: scripts}}
                """.formatted(namespace, name, replicas, workSeconds));
        awaitRollout(name);
        return this;
    }

    /**
     * Waits until the operator has made the namespace's access to Redis. A pod that is older gets it when its kubelet looks
     * at the Secret again, which may take more than a minute: {@link SingletonE2E} begins that way.
     */
    void awaitStore() {
        kubectl("wait", "--for=create", "--timeout=240s", "secret/soloist-store");
    }

    void awaitRollout(String name) {
        try {
            kubectl("rollout", "status", "deployment/" + name, "--timeout=240s");
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + cluster.tryKubectl("-n", namespace, "describe", "pods"), e);
        }
    }

    void apply(String manifests) {
        cluster.apply(manifests);
    }

    String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("-n", namespace));
        all.addAll(List.of(arguments));
        return cluster.kubectl(all.toArray(String[]::new));
    }

    /** Names of the running pods of an app, without those that are ending. */
    List<String> pods(String app) {
        List<String> names = new ArrayList<>();
        for (JsonNode pod :
                parse(kubectl("get", "pods", "-l", "app=" + app, "-o", "json")).path("items")) {
            JsonNode metadata = pod.path("metadata");
            if (pod.path("status").path("phase").asText().equals("Running") && !metadata.has("deletionTimestamp")) {
                names.add(metadata.path("name").asText());
            }
        }
        return names;
    }

    /** Calls the localhost API from within a pod's app container; returns status and body. */
    String api(String pod, String method, String path, String body) {
        return kubectl("exec", pod, "-c", "app", "--", "python3", "/scripts/app.py", method, path, body);
    }

    /** Everything the recorder wrote about a job, in order. */
    List<RunRecord> records(String job) {
        String log = cluster.tryKubectl("-n", namespace, "exec", "recorder", "--", "cat", "/records/log");
        List<RunRecord> records = new ArrayList<>();
        for (String line : Cluster.lines(log)) {
            if (!line.startsWith("{")) {
                continue;
            }
            JsonNode json = parse(line);
            if (json.path("job").asText().endsWith(job)) {
                records.add(new RunRecord(
                        json.path("event").asText(),
                        json.path("at").asDouble(),
                        json.path("pod").asText(),
                        json.path("job").asText(),
                        json.path("run").asText(),
                        json.path("fence").asText(),
                        json.path("attempt").asInt(),
                        json.path("scheduledAt").asText()));
            }
        }
        return records;
    }

    /** Ends a pod's process on the node at once, as a crash does: {@code python3} is the app, {@code java} the sidecar. */
    void kill9(String pod, String program) {
        cluster.run("bash", "-c", """
                for p in /proc/[0-9]*; do
                  if [[ $(tr '\\0' '\\n' < $p/environ 2>/dev/null | sed -n 's/^HOSTNAME=//p') == %s ]] \
                      && tr '\\0' ' ' < $p/cmdline | grep -q %s; then kill -9 ${p#/proc/}; killed=1; fi
                done; [[ $killed ]]""".formatted(pod, program));
    }

    String describe() {
        return cluster.describe(namespace);
    }

    /** Removes the namespace without waiting for its end. */
    @Override
    public void close() {
        kubectl("delete", "djob", "--all", "--timeout=240s");
        cluster.kubectl("delete", "namespace", namespace, "--wait=false");
    }

    private static JsonNode parse(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
