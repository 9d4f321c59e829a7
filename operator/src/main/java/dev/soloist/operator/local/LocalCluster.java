package dev.soloist.operator.local;

import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// The pods, and what a kubelet says about them: ready, terminated. Thread-safe.
final class LocalCluster {

    private final PodSettings settings;
    private final Children children;
    private final LocalOperator operator;
    private final Ledger ledger;
    private final Timeline timeline;
    private final Duration redisAhead;
    private final List<LocalPod> pods = new CopyOnWriteArrayList<>();
    private int started;
    private volatile boolean ending;

    /// @param redisAhead what Redis' clock shows more than that of this machine
    LocalCluster(
            PodSettings settings,
            Children children,
            LocalOperator operator,
            Ledger ledger,
            Timeline timeline,
            Duration redisAhead) {
        this.settings = settings;
        this.children = children;
        this.operator = operator;
        this.ledger = ledger;
        this.timeline = timeline;
        this.redisAhead = redisAhead;
    }

    /// Starts one more pod; it takes part once it is admitted.
    LocalPod add() throws IOException {
        var name = "shop-" + next();
        var narrator = new Narrator(name, ledger, timeline, redisAhead);
        var pod = LocalPod.start(name, settings, children, narrator::tell);
        pods.add(pod);
        var _ = pod.appEnd().thenCombine(pod.sidecarEnd(), (_, _) -> pod).thenAccept(this::terminated);
        var _ = pod.appEnd().thenAccept(_ -> appEnded(pod));
        return pod;
    }

    /// Lets a pod take part: it has been found ready.
    void admit(LocalPod pod) {
        operator.see(facts(pod, Participation.READY, Stage.LIVE, ContainerState.RUNNING));
        timeline.say("pod", pod.name() + " is ready");
    }

    List<LocalPod> pods() {
        return List.copyOf(pods);
    }

    Optional<LocalPod> pod(String name) {
        return pods.stream().filter(pod -> pod.name().equals(name)).findFirst();
    }

    /// From now on processes end because they are meant to.
    void end() {
        ending = true;
    }

    private synchronized int next() {
        return ++started;
    }

    private void appEnded(LocalPod pod) {
        if (!ending) {
            ledger.died(new Death(pod.name(), Instant.now().plus(redisAhead)));
        }
    }

    private void terminated(LocalPod pod) {
        if (!ending && pods.remove(pod)) {
            timeline.say("kubelet", pod.name() + ": both containers have terminated");
            operator.see(facts(pod, Participation.NOT_READY, Stage.ENDING, ContainerState.TERMINATED));
        }
    }

    private PodFacts facts(LocalPod pod, Participation participation, Stage stage, ContainerState state) {
        return new PodFacts(
                settings.namespace(), pod.uid(), pod.name(), Map.of(), participation, stage, state, List.of(state));
    }
}
