package dev.soloist.crds;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

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
                        ((CustomResourceDefinition) crd).getSpec().getVersions().forEach(CrdManifests::finish);
                        return crd;
                    }
                })
                .generate();
    }

    private static void finish(CustomResourceDefinitionVersion version) {
        version.getAdditionalPrinterColumns()
                .sort(Comparator.comparing(
                        CustomResourceColumnDefinition::getName, Comparator.comparing(COLUMNS::indexOf)));
        makeConditionsAMap(version);
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
