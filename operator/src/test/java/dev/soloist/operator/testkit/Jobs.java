package dev.soloist.operator.testkit;

import dev.soloist.coordination.key.JobId;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.operator.conditions.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** DistributedJobs as users write and read them. */
public final class Jobs {

    private Jobs() {}

    /** A singleton of the pods with the label `app: NAME`. */
    public static String singleton(String namespace, String name, String schedule) {
        return yaml(namespace, name, "singleton: {schedule: " + schedule + "}");
    }

    public static String delayed(String namespace, String name) {
        return yaml(namespace, name, "delayed: {visibilityTimeout: 5s}");
    }

    public static String yaml(String namespace, String name, String more) {
        return """
            apiVersion: soloist.dev/v1alpha1
            kind: DistributedJob
            metadata: {name: %s, namespace: %s}
            spec:
              selector: {matchLabels: {app: %s}}
              trigger: {port: 8080, path: /jobs/x}
              %s
            """.formatted(name, namespace, name, more);
    }

    public static void apply(String yaml) {
        ApiServer.admin()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(item ->
                        ApiServer.admin().resource(item).forceConflicts().serverSideApply());
    }

    public static Optional<DistributedJob> get(JobId id) {
        return Optional.ofNullable(ApiServer.admin()
                .resources(DistributedJob.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get());
    }

    public static DistributedJobStatus status(JobId id) {
        return get(id).map(DistributedJob::getStatus).orElseGet(DistributedJobStatus::new);
    }

    public static Condition condition(JobId id, String type) {
        return Conditions.find(status(id).getConditions(), type).orElseGet(Condition::new);
    }

    public static void edit(JobId id, String mergePatch) {
        Kubectl.run("patch", "djob", id.name(), "-n", id.namespace(), "--type=merge", "-p", mergePatch);
    }

    public static void delete(JobId id) {
        ApiServer.admin()
                .resources(DistributedJob.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .delete();
    }

    public static List<Event> events(JobId id, String reason) {
        return ApiServer.admin().events().v1().events().inNamespace(id.namespace()).list().getItems().stream()
                .filter(event -> id.name().equals(event.getRegarding().getName()))
                .filter(event -> reason.isEmpty() || reason.equals(event.getReason()))
                .toList();
    }
}
