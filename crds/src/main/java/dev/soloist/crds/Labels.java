package dev.soloist.crds;

/// Labels that Soloist writes.
public final class Labels {

    /// On a pod: `"true"` when it has a sidecar, else the reason why it asked for one and got none.
    public static final String INJECTED = "soloist.dev/injected";

    /// Value of [#INJECTED] on a pod that has a sidecar.
    public static final String INJECTED_TRUE = "true";

    /// Recommended label on everything Soloist makes, with [#MANAGED_BY_SOLOIST] as its value.
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    public static final String MANAGED_BY_SOLOIST = "soloist";

    private Labels() {}
}
