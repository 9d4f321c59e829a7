package dev.soloist.operator;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.operator.certificates.Rehearsal;
import dev.soloist.operator.core.Definitions;
import dev.soloist.operator.injection.AdmissionHandler;
import dev.soloist.operator.injection.InjectionSettings;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// Does once, without a cluster, what a start does: so that the class cache of the image holds it.
final class Training {

    private static final String JOB = """
            apiVersion: soloist.dev/v1alpha1
            kind: DistributedJob
            metadata: {name: train, namespace: train, uid: u, generation: 1}
            spec:
              selector: {matchLabels: {app: train}}
              trigger: {port: 8080, path: /}
              singleton: {schedule: {cron: "0 2 * * *", timeZone: Asia/Ho_Chi_Minh}}
            """;
    private static final String REVIEW = """
            {"request": {"uid": "u", "object": {"metadata": {"annotations": {"soloist.dev/inject": "true"}},
             "spec": {"containers": [{"name": "app"}]}}}}
            """;

    private Training() {}

    static void run() {
        var metrics = new OperatorMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        Rehearsal.makeCertificates();
        patchAPod();
        readAJob();
        // Nobody listens there: the client, the link and the framework are made, and end again.
        var config = new ConfigBuilder()
                .withMasterUrl("https://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build();
        try (var client = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(ApiSerialization.lenient())
                .build()) {
            new Replica(settings(), client, metrics, () -> {}).discard();
        }
    }

    private static void patchAPod() {
        var handler = new AdmissionHandler(new InjectionSettings("sidecar", "IfNotPresent", "main"));
        var _ = handler.answer(REVIEW.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    private static void readAJob() {
        var job = ApiSerialization.lenient().unmarshal(JOB, DistributedJob.class);
        try {
            var identity = new Definitions.Identity(new JobId("train", "train"), "u", 1);
            var _ = Definitions.of(identity, 1, EffectiveJob.of(job), EffectivePolicy.BUILT_IN);
        } catch (InvalidSpec impossible) {
            throw new IllegalStateException("the job of the training run is valid", impossible);
        }
    }

    private static OperatorSettings settings() {
        return new OperatorSettings(
                "train",
                "train",
                Install.MAIN,
                "sidecar",
                "IfNotPresent",
                Path.of("/nonexistent"),
                0,
                "",
                0,
                Duration.ofMinutes(2),
                "");
    }
}
