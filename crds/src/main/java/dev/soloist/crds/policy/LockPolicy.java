package dev.soloist.crds.policy;

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
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/// How the lease of a singleton is held, watched and given back. Jobs of the same namespace name it in
/// `spec.lockPolicy`.
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("LockPolicy")
@Plural("lockpolicies")
@ShortNames("lockpol")
@Categories(ApiGroup.CATEGORY)
@ValidationRule(value = PolicyCel.NAME, message = PolicySentences.NAME)
@AdditionalPrinterColumn(name = "TTL", jsonPath = ".spec.ttl", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "RELEASE",
        jsonPath = ".spec.release.policy",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "RECOVERY",
        jsonPath = ".status.worstCaseRecovery",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "USED BY", jsonPath = ".status.usedBy", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "READY",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "AGE",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class LockPolicy extends CustomResource<LockPolicySpec, LockPolicyStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public @Nullable LockPolicySpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable LockPolicyStatus getStatus() {
        return super.getStatus();
    }

    @Override
    protected @Nullable LockPolicySpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable LockPolicyStatus initStatus() {
        return null;
    }
}
