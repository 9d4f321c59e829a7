package dev.soloist.operator.core;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.SingletonStore;
import java.time.Instant;

/// Everything that the operator asks of one Redis, for one installation. Thread-safe; does not own the link.
public final class Store {

    private final RedisLink link;
    private final RedisKeys keys;
    private final ScriptRunner scripts;
    private final SingletonStore singletons;
    private final Registrations registrations;

    public Store(RedisLink link, Install install) {
        this.link = link;
        this.keys = new RedisKeys(install);
        this.scripts = new ScriptRunner(link);
        this.singletons = new SingletonStore(scripts, keys);
        this.registrations = new Registrations(scripts, keys);
    }

    public RedisLink link() {
        return link;
    }

    public RedisKeys keys() {
        return keys;
    }

    public SingletonStore singletons() {
        return singletons;
    }

    public Registrations registrations() {
        return registrations;
    }

    public DelayedQueue queue(JobId job) {
        return new DelayedQueue(scripts, keys, job);
    }

    public Instances instances(JobId job) {
        return new Instances(scripts, keys, job);
    }

    /// Redis' time, by the estimate that costs no round trip.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable before the first connection
    public Instant now() {
        return link.clock().now();
    }
}
