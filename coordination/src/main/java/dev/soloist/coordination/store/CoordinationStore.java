package dev.soloist.coordination.store;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.SingletonStore;

/** What one installation keeps in one Redis. Thread-safe; does not own the link. */
public final class CoordinationStore {

    private final RedisLink link;
    private final RedisKeys keys;
    private final ScriptRunner scripts;
    private final SingletonStore singletons;
    private final Registrations registrations;

    /** The store of an installation at the other end of the link. */
    public CoordinationStore(RedisLink link, Install install) {
        this.link = link;
        this.keys = new RedisKeys(install);
        this.scripts = new ScriptRunner(link);
        this.singletons = new SingletonStore(scripts, keys);
        this.registrations = new Registrations(scripts, keys);
    }

    /** The link that everything goes over. */
    public RedisLink link() {
        return link;
    }

    /** Names of the installation's keys. */
    public RedisKeys keys() {
        return keys;
    }

    /** All singleton jobs. */
    public SingletonStore singletons() {
        return singletons;
    }

    /** Which jobs there are, and which pods take part. */
    public Registrations registrations() {
        return registrations;
    }

    /** The tasks of one job. */
    public DelayedQueue queue(JobId job) {
        return DelayedQueue.of(scripts, keys, job);
    }

    /** The instances that take part in one job's tasks. */
    public Instances instances(JobId job) {
        return new Instances(scripts, keys, job);
    }
}
