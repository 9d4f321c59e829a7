package dev.soloist.operator;

import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.capability.OwnedStore;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.CommandObserver;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.store.StoreDirectory;
import dev.soloist.operator.capability.ClusterIdentity;
import dev.soloist.operator.capability.OwnStore;
import dev.soloist.operator.capability.ToldFiles;
import dev.soloist.operator.core.LiveJobs;
import dev.soloist.operator.core.PodBoard;
import dev.soloist.operator.core.Reclaimer;
import dev.soloist.operator.events.EventRecorder;
import dev.soloist.operator.job.DistributedJobReconciler;
import dev.soloist.operator.job.JobServices;
import dev.soloist.operator.job.SettledJobs;
import dev.soloist.operator.leader.Leadership;
import dev.soloist.operator.leader.Pace;
import dev.soloist.operator.metrics.FrameworkMetrics;
import dev.soloist.operator.metrics.JobTally;
import dev.soloist.operator.metrics.OperatorMetrics;
import dev.soloist.operator.pods.PodReclaim;
import dev.soloist.operator.pods.PodReconciler;
import dev.soloist.operator.pods.PodSweep;
import dev.soloist.operator.policy.LockPolicyReconciler;
import dev.soloist.operator.store.AccessKeeper;
import dev.soloist.operator.store.NamespaceAccess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;

/// One replica's reconcilers and what they need, without the webhook and the probes. Begun by [#start()], ended by
/// [#close()].
final class Replica implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final RedisLink link;
    private final Leadership leadership;
    private final JobTally tally = new JobTally();
    private final Operator operator;
    private final BackgroundLoop sweep;
    private final BackgroundLoop access;
    private final BackgroundLoop storeLook;
    private final OperatorMetrics metrics;

    Replica(OperatorSettings settings, KubernetesClient client, OperatorMetrics metrics, Runnable halt) {
        this(settings, client, metrics, halt, Pace.USUAL);
    }

    Replica(OperatorSettings settings, KubernetesClient client, OperatorMetrics metrics, Runnable halt, Pace pace) {
        this.client = client;
        this.metrics = metrics;
        var files = new StoreDirectory(settings.storeDirectory(), "soloist-operator");
        this.link = RedisLink.open(files, CommandObserver.NONE);
        this.leadership = new Leadership(settings.namespace(), settings.podName(), pace, this::leads, halt);
        var cluster = new ClusterIdentity(client);
        var store = OwnStore.open(
                link,
                settings.install(),
                () -> new OwnedStore.Owner(cluster.get(), settings.takeOverFrom()),
                () -> ModeWish.minimum(files.text(StoreFile.MINIMUM_MODE)));
        metrics.watch(store.gate());
        this.storeLook = new BackgroundLoop("store-look", store.gate()::turn, error -> metrics.failed("store"));
        var jobs = new LiveJobs();
        var board = new PodBoard(store, jobs);
        var events = new EventRecorder(client, settings.podName());
        var reclaim = new PodReclaim(new Reclaimer(store, jobs), events, metrics);
        var podSweep = new PodSweep(client, store, jobs, board, reclaim, leadership::isLeading);
        this.sweep = new BackgroundLoop("pod-sweep", podSweep::runOnce, error -> metrics.failed("pod"));
        // After a restart of Redis the board is empty and users are gone: write both at once.
        link.onConnected(sweep::wake);
        var access = new NamespaceAccess(
                client,
                store,
                settings.install(),
                new ToldFiles(files::lastWhole, store.gate()::mode),
                new SettledJobs(client, store).and(_ -> files.get().equals(link.settings())));
        var keeper = new AccessKeeper(access, client, link, leadership::isLeading);
        this.access = new BackgroundLoop("access", keeper::runOnce, error -> metrics.failed("access"));
        link.onConnected(() -> {
            keeper.connected();
            this.access.wake();
        });
        this.operator = new Operator(overrider -> overrider
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withStopOnInformerErrorDuringStartup(true)
                .withReconciliationTerminationTimeout(Duration.ofSeconds(5))
                .withExecutorService(Executors.newVirtualThreadPerTaskExecutor())
                .withMetrics(new FrameworkMetrics(metrics))
                .withLeaderElectionConfiguration(leadership.configuration()));
        operator.register(new DistributedJobReconciler(new JobServices(
                client,
                store,
                jobs,
                board,
                access,
                events,
                metrics,
                tally,
                sweep::wake,
                settings.deletionTimeout(),
                InstantSource.system())));
        operator.register(new LockPolicyReconciler(InstantSource.system()));
        operator.register(new PodReconciler(board, reclaim, access));
    }

    /// Warms the caches and stands for election.
    ///
    /// @throws io.javaoperatorsdk.operator.OperatorException if the API server or its rights do not let it
    void start() {
        operator.start();
        var _ = storeLook.start();
        var _ = sweep.start();
        var _ = access.start();
    }

    boolean isStarted() {
        return operator.getRuntimeInfo().isStarted();
    }

    boolean isStoreUp() {
        return link.isConnected();
    }

    JobTally tally() {
        return tally;
    }

    /// Stops within a bound, gives the Lease back, closes the store. The framework's own stop may hang, so it is left
    /// to a thread.
    @Override
    public void close() {
        leadership.stopping();
        sweep.close();
        access.close();
        storeLook.close();
        var stop = Thread.ofPlatform().daemon().name("operator-stop").start(operator::stop);
        try {
            stop.join(STOP_LIMIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        leadership.release(client);
        link.close();
    }

    /// Closes a replica that was never started.
    void discard() {
        link.close();
    }

    private void leads(boolean now) {
        metrics.leading(now);
        if (!now) {
            tally.clear();
        }
    }
}
