package dev.soloist.operator.job;

import dev.soloist.crds.job.PodCounts;
import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import java.util.List;
import java.util.Map;

/// Counts the pods that the selector names.
final class CountPods implements Step {

    private final UninjectedPods uninjected;

    CountPods(UninjectedPods uninjected) {
        this.uninjected = uninjected;
    }

    @Override
    public Next run(Pass pass) {
        var labels = pass.effective().matchLabels();
        var living = living(pass.pods, labels);
        var ready = living.stream()
                .filter(pod -> pod.participation() == Participation.READY)
                .count();
        var missing = uninjected.count(pass.id.namespace(), pass.uid(), labels, living.size());
        pass.counts = PodCounts.of(Math.toIntExact(ready), living.size(), missing);
        return Next.GO_ON;
    }

    static List<PodFacts> living(List<PodFacts> pods, Map<String, String> labels) {
        return pods.stream()
                .filter(pod -> pod.stage() == Stage.LIVE && pod.matches(labels))
                .toList();
    }
}
