package dev.soloist.coordination.store;

import dev.soloist.coordination.broadcast.Broadcasts;
import dev.soloist.coordination.capability.CapabilityProbe;
import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.Judge;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.capability.ProbingJudge;
import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.cas.CasQueue;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Enrolment;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Layouts;
import dev.soloist.coordination.shard.LostLayout;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.shard.ShardedQueue;
import dev.soloist.coordination.singleton.SingletonStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What one installation keeps in one Redis. By which mode is decided for each call by its {@link #gate()}; a call that the
 * gate does not let through fails as {@code RedisUnavailable} of kind REFUSED and was not sent. Thread-safe; does not own
 * the link, and looks at the server by itself at each connect only.
 */
public final class CoordinationStore {

    private final RedisLink link;
    private final RedisKeys keys;
    private final StoreGate gate;
    private final ScriptRunner scripts;
    private final Map<Backend, SingletonStore> singletons;
    private final Registrations registrations;
    private final Layouts layouts;

    /** The store of an installation at the other end of the link, used as its judge says. */
    public CoordinationStore(RedisLink link, Install install, Judge judge) {
        this.link = link;
        this.keys = new RedisKeys(install);
        this.gate = new StoreGate(link, judge);
        this.scripts = new ScriptRunner(new ModalEngine(gate, link));
        this.singletons = new EnumMap<>(Backend.class);
        for (var backend : Backend.values()) {
            singletons.put(backend, new SingletonStore(scripts, keys, backend));
        }
        this.registrations = new Registrations(scripts, keys);
        this.layouts = new Layouts(scripts, keys);
    }

    /**
     * The store as one namespace's user may use it.
     *
     * @param wish asked at each look
     */
    public static CoordinationStore ofNamespace(
            RedisLink link, Install install, String namespace, Supplier<ModeWish> wish) {
        var keys = new RedisKeys(install);
        return new CoordinationStore(link, install, judge(link, random -> keys.probe(namespace, random), wish));
    }

    /** As {@link #CoordinationStore(RedisLink, Install, Judge)} for a server with scripts that nobody else claims. */
    public CoordinationStore(RedisLink link, Install install) {
        this(link, install, ModeWish.SCRIPTED);
    }

    /** As {@link #CoordinationStore(RedisLink, Install, Judge)} for a server that nobody else claims. */
    public CoordinationStore(RedisLink link, Install install, ModeWish wish) {
        this(link, install, judge(link, new RedisKeys(install)::probe, () -> wish));
    }

    private static Judge judge(RedisLink link, UnaryOperator<String> key, Supplier<ModeWish> wish) {
        return new ProbingJudge(new CapabilityProbe(link, key, CapabilityProbe.Scope.ESSENTIALS), wish);
    }

    /** The link that everything goes over. */
    public RedisLink link() {
        return link;
    }

    /** Who decides by which mode the store is used. */
    public StoreGate gate() {
        return gate;
    }

    /** Whether a call made now would be sent: there is a connection, and the gate lets it through. */
    public boolean isUsable() {
        return link.isConnected() && gate.mode().data().isPresent();
    }

    /** Names of the installation's keys. */
    public RedisKeys keys() {
        return keys;
    }

    /** The singleton jobs whose leases are keys of their own. */
    public SingletonStore singletons() {
        return singletons(Backend.STRING);
    }

    /** The singleton jobs whose leases are kept in the given way. */
    public SingletonStore singletons(Backend backend) {
        return Objects.requireNonNull(singletons.get(backend));
    }

    /** The key of a job's record, which tells the server that the job lives on. */
    public String record(JobId job, Backend backend) {
        return switch (backend) {
            case STRING -> keys.record(job);
            case HASH -> keys.shared().record(job);
        };
    }

    /** Which jobs there are, and which pods take part. */
    public Registrations registrations() {
        return registrations;
    }

    /** The leases of one namespace. */
    public Leases leases(String namespace) {
        return new Leases(scripts, keys, namespace);
    }

    /** The tasks of one job's first shard, which is all of them unless there are several, with the limits of a default. */
    public DelayedQueue queue(JobId job) {
        return queue(job, () -> QueueLimits.DEFAULT);
    }

    /**
     * The tasks of one job's first shard, which is all of them unless there are several.
     *
     * @param limits asked at each call, for a job's definition may change
     */
    public DelayedQueue queue(JobId job, Supplier<QueueLimits> limits) {
        return queue(job, keys, limits);
    }

    private DelayedQueue queue(JobId job, RedisKeys ofShard, Supplier<QueueLimits> limits) {
        return new ModalQueue(
                gate,
                DelayedQueue.of(scripts, ofShard, job, limits),
                () -> new CasQueue(link, ofShard, job, new Instances(scripts, ofShard, job), limits));
    }

    /**
     * The tasks of one job by a layout that is open.
     *
     * @param limits of the whole, asked at each call
     */
    public DelayedQueue queue(JobId job, Layout layout, Supplier<QueueLimits> limits) {
        return ShardedQueue.of(layout, number -> shard(job, number, () -> layout.partOf(limits.get())));
    }

    /**
     * One of the shards of a job's tasks.
     *
     * @param limits of this shard, asked at each call
     */
    public Shard shard(JobId job, int number, Supplier<QueueLimits> limits) {
        var ofShard = keys.ofShard(number);
        return new Shard(
                number,
                queue(job, ofShard, limits),
                queue(job, ofShard, () -> limits.get().withDepth(0)),
                new Instances(scripts, ofShard, job));
    }

    /** How a job's tasks are spread now; on a server without scripts they never are. */
    public Layout layout(JobId job) {
        return switch (gate.require()) {
            case SCRIPTED -> layouts.read(job);
            case CAS -> Layout.SINGLE;
        };
    }

    /** As {@link #layout}, after it was made what the definition asks for, unless that is older than the layout. */
    public Layout arrange(JobDefinition job) {
        return switch (gate.require()) {
            case SCRIPTED -> layouts.arrange(job);
            case CAS -> Layout.SINGLE;
        };
    }

    /**
     * Registers an instance in a shard by a layout that was read before. What it answers is certain only afterwards: the
     * layout is read once more, so that no change of it goes unnoticed.
     *
     * @param lease how long it may stay silent
     */
    public Enrolment enrol(JobId job, Layout believed, Shard shard, InstanceId instance, String pod, Duration lease) {
        return switch (shard.instances().register(instance, pod, lease)) {
            case Registering.Fenced() -> new Enrolment.Fenced();
            case Registering.Registered(var predecessors) -> {
                var now = layout(job);
                if (now.equals(believed)) {
                    yield new Enrolment.Enrolled(predecessors);
                }
                shard.instances().leave(instance);
                yield new Enrolment.Outdated(now);
            }
        };
    }

    /** A walk that finds out when no task lies any more where a former layout put it. */
    public Drain drain(JobId job) {
        return new Drain(scripts, keys, job);
    }

    /** A search for what a lost layout has left in shards of which none tells. */
    public LostLayout lostLayout() {
        return new LostLayout(scripts, keys);
    }

    /** Removes the streams of a job that has them no longer, in all shards of a layout; its tasks are not touched. */
    public void removeStream(JobId job, Layout layout) {
        if (gate.require() == DataMode.SCRIPTED) {
            for (int number = 0; number < layout.span(); number++) {
                var shard = keys.ofShard(number);
                link.call("UNLINK", shard.taskStream(job), shard.streamEntries(job), shard.streamMark(job));
            }
        }
    }

    /** Removes all that is kept of one job's tasks, and of who took part. For a job that nobody works on any more. */
    public void removeQueue(JobId job) {
        switch (gate.require()) {
            case SCRIPTED -> {
                // In the first shard lies what tells of the others, so it goes last.
                int shards = layouts.read(job).equals(Layout.SINGLE) ? layouts.found(job) : Layout.MAX;
                for (int number = shards - 1; number >= 0; number--) {
                    removeShard(job, number);
                }
            }
            case CAS -> new CasQueue(link, keys, job, instances(job)).remove();
        }
    }

    /**
     * How the runs of one singleton job ended; the log is beside the job's record. In mode Cas, and on servers without streams,
     * there is none.
     */
    public JobLog runLog(JobId job, Backend backend) {
        return new JobLog(new EventLog(scripts, logKey(job, backend)));
    }

    /**
     * Copies what is kept of a job's runs from where one back end keeps it to where another does. May be repeated.
     *
     * @param keep as many events as the log is to hold at most
     */
    public void copyRunLog(JobId job, Backend from, Backend to, int keep) {
        new EventLog(scripts, logKey(job, from)).copyTo(new EventLog(scripts, logKey(job, to)), keep);
    }

    /** Which tasks of one delayed job died. In mode Cas, and on servers without streams, there is no log. */
    public JobLog taskLog(JobId job) {
        return taskLog(job, () -> layout(job));
    }

    /** As {@link #taskLog(JobId)}, over the shards of a layout that is known. */
    public JobLog taskLog(JobId job, Layout layout) {
        return taskLog(job, () -> layout);
    }

    private JobLog taskLog(JobId job, Supplier<Layout> layout) {
        return new JobLog(
                () -> layout.get().span(),
                shard -> new EventLog(scripts, keys.ofShard(shard).queueLog(job)));
    }

    /**
     * Sees to it that the event log of a singleton job does not go on with what a deleted namesake has left. Call it before the
     * first seed.
     */
    public void beginRunLog(JobId job, String uid, Backend backend) {
        if (gate.require() == DataMode.SCRIPTED) {
            singletons(backend).beginLog(job, uid);
        }
    }

    /**
     * Sees to it that the event log of a delayed job does not go on with what a deleted namesake has left. Call it before the job
     * is published: whose log it is is told by the definition on the board, and where there is none it begins anew.
     */
    public void beginTaskLog(JobDefinition job) {
        if (gate.require() != DataMode.SCRIPTED) {
            return;
        }
        var board = keys.jobs(job.id().namespace());
        var published = link.call("HGET", board, job.id().name()).getFirst();
        boolean isKnown = published instanceof byte[] text
                && JobDefinitionJson.uid(new String(text, StandardCharsets.UTF_8))
                        .equals(job.uid());
        if (!isKnown) {
            removeEvents(job.id());
        }
    }

    /** Removes what is kept of one job's events. May be repeated. */
    public void removeEvents(JobId job) {
        if (gate.require() == DataMode.SCRIPTED) {
            for (var backend : Backend.values()) {
                link.call("UNLINK", logKey(job, backend));
            }
            int span = layouts.read(job).span();
            for (int number = 0; number < span; number++) {
                link.call("UNLINK", keys.ofShard(number).queueLog(job));
            }
        }
    }

    private String logKey(JobId job, Backend backend) {
        return switch (backend) {
            case STRING -> keys.log(job);
            case HASH -> keys.shared().log(job);
        };
    }

    /** The broadcasts of one job. */
    public Broadcasts broadcasts(JobId job) {
        return new Broadcasts(gate, link, keys.broadcast(job));
    }

    private void removeShard(JobId job, int number) {
        var ofShard = keys.ofShard(number);
        new QueueRemoval(link, ofShard).remove(job, number, new Instances(scripts, ofShard, job));
    }

    /** The instances that take part in the first shard of one job's tasks. */
    public Instances instances(JobId job) {
        return new Instances(scripts, keys, job);
    }
}
