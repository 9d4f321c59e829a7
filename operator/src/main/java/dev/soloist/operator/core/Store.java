package dev.soloist.operator.core;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.LostLayout;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.store.CoordinationStore;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/// Everything that the operator asks of one Redis, for one installation. Thread-safe; does not own the link.
public final class Store {

    private final CoordinationStore store;

    public Store(RedisLink link, Install install) {
        this.store = new CoordinationStore(link, install);
    }

    public Store(CoordinationStore store) {
        this.store = store;
    }

    /// Who decides by which mode the store is used, if at all.
    public StoreGate gate() {
        return store.gate();
    }

    /// Whether a call made now would be sent.
    public boolean isUsable() {
        return store.isUsable();
    }

    public RedisLink link() {
        return store.link();
    }

    public RedisKeys keys() {
        return store.keys();
    }

    /// The singleton jobs whose leases are keys of their own.
    public SingletonStore singletons() {
        return store.singletons();
    }

    /// The singleton jobs whose leases are kept in the given way.
    public SingletonStore singletons(Backend backend) {
        return store.singletons(backend);
    }

    /// The singleton jobs among which this one is, with as long a log as it wants.
    public SingletonStore singletons(JobDefinition job) {
        return store.singletons(job.policy().backend()).logging(job.eventLogLength());
    }

    /// All places where a singleton job can be on this store.
    public List<SingletonStore> everywhere() {
        return places().stream().map(store::singletons).toList();
    }

    /// Whether a job can be anywhere else on this store than where this back end keeps it.
    List<Backend> places() {
        return isScripted() ? List.of(Backend.values()) : List.of(Backend.STRING);
    }

    /// Whether the store can do all that needs scripts, as far as is known now.
    boolean isScripted() {
        return store.gate()
                .mode()
                .data()
                .filter(mode -> mode == DataMode.SCRIPTED)
                .isPresent();
    }

    /// The leases of a namespace.
    public Leases leases(String namespace) {
        return store.leases(namespace);
    }

    /// The key that tells the server that a job lives on.
    String record(JobId job, Backend backend) {
        return store.record(job, backend);
    }

    public Registrations registrations() {
        return store.registrations();
    }

    /// The tasks of a job's first shard, which is all of them unless there are several.
    public DelayedQueue queue(JobId job) {
        return store.queue(job);
    }

    /// The tasks of a job by a layout, all shards together, with the limits of its definition.
    public DelayedQueue queue(JobDefinition job, Layout layout) {
        var limits = QueueLimits.of(job);
        return store.queue(job.id(), layout, () -> limits);
    }

    /// How many tasks are where, all shards of a layout together.
    public QueueCounts counts(JobDefinition job, Layout layout) {
        // Several shards know their segments themselves.
        List<String> segments = layout.isSingle() ? instances(job.id()).segments() : List.of();
        return queue(job, layout).counts(segments);
    }

    /// How the tasks of a job are spread over shards, after they were spread as its definition asks. Costs a round
    /// trip: to be asked once, for all that is done in a row.
    public Layout arrange(JobDefinition job) {
        return store.arrange(job);
    }

    /// One of the shards, with its part of the job's limits.
    public Shard shard(JobDefinition job, Layout layout, int number) {
        var limits = layout.partOf(QueueLimits.of(job));
        return store.shard(job.id(), number, () -> limits);
    }

    /// A walk that finds out when the shards of former layouts are empty.
    public Drain drain(JobId job) {
        return store.drain(job);
    }

    /// A search for what a lost layout has left in shards of which none tells.
    public LostLayout lostLayout() {
        return store.lostLayout();
    }

    /// Removes the streams of a job that has them no longer.
    public void removeStream(JobId job, Layout layout) {
        store.removeStream(job, layout);
    }

    /// Removes all that is kept of one job's tasks.
    public void removeQueue(JobId job) {
        store.removeQueue(job);
    }

    /// How the runs of a singleton job ended.
    public JobLog runLog(JobDefinition job) {
        return store.runLog(job.id(), job.policy().backend());
    }

    /// Copies what is kept of a singleton job's runs to where its policy keeps it now.
    void copyRunLog(JobDefinition job, Backend from) {
        store.copyRunLog(job.id(), from, job.policy().backend(), job.eventLogLength());
    }

    /// Which tasks of a delayed job died.
    public JobLog taskLog(JobId job, Layout layout) {
        return store.taskLog(job, layout);
    }

    /// Before a job's first seed or publication: what a deleted namesake has left in its event log is not its own.
    void beginLog(JobDefinition job) {
        switch (job.work()) {
            case SingletonWork _ ->
                store.beginRunLog(job.id(), job.uid(), job.policy().backend());
            case DelayedWork _ -> store.beginTaskLog(job);
            case BroadcastWork _ -> {}
        }
    }

    /// Removes what is kept of a job's events. May be repeated.
    public void removeEvents(JobId job) {
        store.removeEvents(job);
    }

    /// Those that take part in a job's first shard.
    public Instances instances(JobId job) {
        return store.instances(job);
    }

    /// Those that take part in each of a job's shards.
    public List<Instances> instancesOfAll(JobId job) {
        return IntStream.range(0, store.layout(job).active())
                .mapToObj(number ->
                        store.shard(job, number, () -> QueueLimits.DEFAULT).instances())
                .toList();
    }

    /// The time of the server that a job lives on, by the estimate that costs no round trip.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable before the first connection to it
    public Instant now(JobId job, Backend backend) {
        return store.link().clock(record(job, backend)).now();
    }

    /// Redis' time, by the estimate that costs no round trip.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable before the first connection
    public Instant now() {
        return store.link().clock().now();
    }
}
