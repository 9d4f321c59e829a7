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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// The pods, and what a kubelet does about them: it sees them ready and terminated, and starts a container again that
/// ended by itself. Thread-safe.
final class LocalCluster implements PodWatcher {

    private static final Executor RESTARTS = CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS);

    private final PodSettings settings;
    private final Children children;
    private final LocalOperator operator;
    private final Ledger ledger;
    private final Timeline timeline;
    private final Duration redisAhead;
    private final Narrator narrator;
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
        this.narrator = new Narrator(ledger, timeline, redisAhead);
    }

    /// Starts one more pod; it takes part once it is admitted.
    LocalPod add() throws IOException {
        var name = "shop-" + next();
        var pod = LocalPod.start(name, settings, children, this);
        pods.add(pod);
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

    @Override
    public void told(LocalPod pod, AppLine line) {
        narrator.tell(pod.name(), line);
    }

    @Override
    public void ended(LocalPod pod, String container) {
        if (ending) {
            return;
        }
        if (container.equals("app")) {
            ledger.died(new Death(pod.name(), Instant.now().plus(redisAhead), pod.ending()));
        }
        if (!pod.ending()) {
            // A kubelet takes its time too; and at Ctrl-C, which ends our children with us, ours is over by then.
            RESTARTS.execute(() -> startAgain(pod, container));
        } else if (pod.terminated() && pods.remove(pod)) {
            timeline.say("kubelet", pod.name() + ": both containers have terminated");
            operator.see(facts(pod, Participation.NOT_READY, Stage.ENDING, ContainerState.TERMINATED));
        }
    }

    private void startAgain(LocalPod pod, String container) {
        if (ending || pod.ending()) {
            return;
        }
        timeline.say("kubelet", pod.name() + ": the " + container + " has ended, and is started again");
        try {
            pod.restart(container);
        } catch (IOException e) {
            ledger.trouble(pod.name() + ": the " + container + " cannot be started again: " + e.getMessage());
        }
    }

    private PodFacts facts(LocalPod pod, Participation participation, Stage stage, ContainerState state) {
        return new PodFacts(
                settings.namespace(), pod.uid(), pod.name(), Map.of(), participation, stage, state, List.of(state));
    }
}
