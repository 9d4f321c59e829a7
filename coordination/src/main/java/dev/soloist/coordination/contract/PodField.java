package dev.soloist.coordination.contract;

/** Variables that the kubelet fills from the pod itself (downward API): at admission a pod has no UID yet. */
public enum PodField {
    NAME(Variable.POD_NAME, "metadata.name"),
    NAMESPACE(Variable.POD_NAMESPACE, "metadata.namespace"),
    UID(Variable.POD_UID, "metadata.uid");

    private final Variable variable;
    private final String path;

    PodField(Variable variable, String path) {
        this.variable = variable;
        this.path = path;
    }

    public Variable variable() {
        return variable;
    }

    /** The {@code fieldRef.fieldPath}. */
    public String path() {
        return path;
    }
}
