package dev.soloist.operator.injection;

import java.util.Optional;

/// Why a pod that was seen gets no sidecar.
enum SkipReason {
    /// No annotation, or another value than `"true"`: the pod is left as it is, without a label.
    NOT_ASKED(""),
    /// A static pod's mirror: the kubelet runs it from its own file, so a patch would change nothing that runs.
    MIRROR_POD("mirror-pod"),
    /// The sidecar's image is for Linux.
    WINDOWS("windows");

    private final String label;

    SkipReason(String label) {
        this.label = label;
    }

    /// The value of the label `soloist.dev/injected` that tells the pod's owner about it.
    Optional<String> label() {
        return label.isEmpty() ? Optional.empty() : Optional.of(label);
    }
}
