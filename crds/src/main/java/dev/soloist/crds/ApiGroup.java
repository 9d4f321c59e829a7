package dev.soloist.crds;

/// Names of the API group, as they stand in every manifest.
public final class ApiGroup {

    public static final String GROUP = "soloist.dev";
    public static final String VERSION = "v1alpha1";

    /// `kubectl get soloist` lists both kinds.
    public static final String CATEGORY = "soloist";

    private ApiGroup() {}
}
