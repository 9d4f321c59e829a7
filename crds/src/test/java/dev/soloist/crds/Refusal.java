package dev.soloist.crds;

import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/// What the API server said about a manifest, one cause per mistake.
final class Refusal {

    private static final String MORE_TO_CHECK = "some validation rules were not checked";

    private Refusal() {}

    /// The causes without the server's remark that it has not looked at everything.
    static List<Violation> causesOf(KubernetesClientException refused) {
        return refused.getStatus().getDetails().getCauses().stream()
                .filter(cause -> !cause.getMessage().contains(MORE_TO_CHECK))
                .map(Refusal::violation)
                .toList();
    }

    /// The server writes `<nil>` for the root, and puts the value in front of the sentence.
    private static Violation violation(StatusCause cause) {
        return new Violation("<nil>".equals(cause.getField()) ? "" : cause.getField(), cause.getMessage());
    }
}
