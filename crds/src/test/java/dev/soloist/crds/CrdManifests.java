package dev.soloist.crds;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Writes the CRD manifests of the Java types. The same types give the same bytes.
final class CrdManifests {

    /// The order of columns; the generator sorts them by path.
    private static final List<String> COLUMNS = List.of(
            "TYPE",
            "SCHEDULE",
            "PODS",
            "TTL",
            "RELEASE",
            "RECOVERY",
            "USED BY",
            "READY",
            "LAST RUN",
            "NEXT RUN",
            "AGE",
            "HOLDER",
            "PENDING",
            "VERDICT");

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "DistributedJob",
            "Work that the pods of an ordinary Deployment share: a singleton on a schedule, delayed tasks, or messages to all.",
            "LockPolicy",
            "How the lease of a singleton is held, watched and given back. Jobs of this namespace name it in spec.lockPolicy.");

    private CrdManifests() {}

    /// Writes one file per kind, named `<plural>.<group>-v1.yml`, into a folder that exists.
    static void writeTo(Path folder) {
        new CRDGenerator()
                .inOutputDir(folder.toFile())
                .withMinQuotes(true)
                .forCRDVersions("v1")
                .customResourceClasses(DistributedJob.class, LockPolicy.class)
                .withPostProcessor(new CRDPostProcessor() {
                    @Override
                    public HasMetadata process(HasMetadata crd, String version) {
                        var spec = ((CustomResourceDefinition) crd).getSpec();
                        spec.getVersions().forEach(one -> finish(spec.getNames().getKind(), one));
                        return crd;
                    }
                })
                .generate();
    }

    private static void finish(String kind, CustomResourceDefinitionVersion version) {
        describe(kind, version.getSchema().getOpenAPIV3Schema());
        version.getAdditionalPrinterColumns()
                .sort(Comparator.comparing(
                        CustomResourceColumnDefinition::getName, Comparator.comparing(COLUMNS::indexOf)));
        makeConditionsAMap(version);
    }

    /// What the generator has no place for: it describes components of a class, not the class.
    private static void describe(String kind, JSONSchemaProps schema) {
        schema.setDescription(DESCRIPTIONS.get(kind));
        schema.getProperties().get("spec").setDescription("What is asked for.");
        schema.getProperties()
                .get("status")
                .setDescription("What the operator reports; it lags the state in Redis by up to 10 s.");
    }

    /// So that several writers can apply conditions side by side; the generator has no annotation for it.
    private static void makeConditionsAMap(CustomResourceDefinitionVersion version) {
        var status = version.getSchema().getOpenAPIV3Schema().getProperties().get("status");
        var conditions = status.getProperties().get("conditions");
        conditions.setXKubernetesListType("map");
        conditions.setXKubernetesListMapKeys(List.of("type"));
        conditions
                .getItems()
                .getSchema()
                .setRequired(List.of("type", "status", "reason", "message", "lastTransitionTime"));
    }
}
