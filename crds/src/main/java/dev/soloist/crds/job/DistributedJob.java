package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.soloist.crds.ApiGroup;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/// Work that the pods of an ordinary Deployment share: a singleton on a schedule, delayed tasks, or
/// messages to all.
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("DistributedJob")
@ShortNames({"djob", "djobs"})
@Categories(ApiGroup.CATEGORY)
@ValidationRule(value = JobCel.NAME, message = JobSentences.NAME)
@AdditionalPrinterColumn(name = "TYPE", jsonPath = ".status.type", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "SCHEDULE", jsonPath = ".status.schedule", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "PODS", jsonPath = ".status.pods.summary", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "READY",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "LAST RUN",
        jsonPath = ".status.lastRun.start",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "NEXT RUN", jsonPath = ".status.nextRun", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "AGE",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "HOLDER",
        jsonPath = ".status.holder",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "PENDING",
        jsonPath = ".status.delayed.pending",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 1)
@AdditionalPrinterColumn(
        name = "VERDICT",
        jsonPath = ".status.lastVerdict",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class DistributedJob extends CustomResource<DistributedJobSpec, DistributedJobStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public @Nullable DistributedJobSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable DistributedJobStatus getStatus() {
        return super.getStatus();
    }

    @Override
    protected @Nullable DistributedJobSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable DistributedJobStatus initStatus() {
        return null;
    }
}
