package dev.soloist.coordination.key;

import java.util.Base64;
import java.util.List;

/**
 * The one home of every key and channel. Each key of a job carries the job's hash tag, so that all of them lie in one
 * slot of a Redis Cluster; text given by users never enters a key. Immutable and thread-safe.
 */
public final class RedisKeys {

    private final String prefix;
    private final int shard;
    private final boolean shared;

    /** Keys of one installation; those of a job's queue are of its first shard. */
    public RedisKeys(Install install) {
        this("soloist:" + install.name() + ":", 0, false);
    }

    private RedisKeys(String prefix, int shard, boolean shared) {
        this.prefix = prefix;
        this.shard = shard;
        this.shared = shared;
    }

    /** The same names, with the keys of a job's queue being those of another shard, whose slot is its own. */
    public RedisKeys ofShard(int number) {
        return new RedisKeys(prefix, number, shared);
    }

    /**
     * The same, with the keys of singleton jobs under the hash tag of their namespace, and their leases among those of the
     * namespace: {@link #lock} is {@link #leases}. Channels stay where they are.
     */
    public RedisKeys shared() {
        return new RedisKeys(prefix, shard, true);
    }

    // The installation.

    /** String: what the data of the installation are, as JSON; readable in every mode. No expiry. */
    public String meta() {
        return prefix + "meta";
    }

    /** String: tried out and deleted again; the random text is also the hash tag. */
    public String probe(String random) {
        return prefix + "probe:{" + random + "}";
    }

    /** As {@link #probe(String)}, within what a namespace's user may reach. */
    public String probe(String namespace, String random) {
        return prefix + "{" + namespace + "}:probe:" + random;
    }

    // Singleton jobs.

    /** Hash: the job's record, which decides everything. No expiry; a tombstone expires after 30 days. */
    public String record(JobId job) {
        return singleton(job, "rec");
    }

    /** List: {@code [generation]} while READY, else absent. A hint. */
    public String ready(JobId job) {
        return singleton(job, "rdy");
    }

    /** Sorted set: {@code generation -> due ms} while DELAYED, else absent. A hint. */
    public String delayed(JobId job) {
        return singleton(job, "dly");
    }

    /** String: {@code instance|nonce|sequence} with an expiry; exists only while RUNNING. */
    public String lock(JobId job) {
        return shared ? leases(job.namespace()) : singleton(job, "lock");
    }

    /** List of JSON, oldest first, at most 20: finished runs. */
    public String history(JobId job) {
        return singleton(job, "hist");
    }

    /** Stream: how runs ended, capped at the length that the job's definition names. */
    public String log(JobId job) {
        return singleton(job, "log");
    }

    /** String: random id written at the first seed; its absence tells lost data. */
    public String mark(JobId job) {
        return singleton(job, "mark");
    }

    /** Channel: a hint that the job may be claimed, or that its record was changed by the operator. */
    public String jobWake(JobId job) {
        return prefix + "{" + job + "}:wake";
    }

    // Delayed jobs.

    /** Hash: task id to its immutable value, written once by enqueue. */
    public String tasks(JobId job) {
        return queue(job, "t");
    }

    /** Hash: task id to its attempts and receipt; only for tasks reserved or rescheduled at least once. */
    public String attempts(JobId job) {
        return queue(job, "a");
    }

    /** Sorted set: the delayed tasks of one segment by due ms. */
    public String segment(JobId job, String segment) {
        return queue(job, "d:" + segment);
    }

    /** Sorted set: delayed tasks of nobody in particular. */
    public String sharedSegment(JobId job) {
        return segment(job, "_shared");
    }

    /** List: hints to due tasks; 0 high, 1 normal, 2 low. */
    public String readyList(JobId job, int priority) {
        if (priority < 0 || priority > 2) {
            throw new IllegalArgumentException("priority " + priority + " is not 0, 1 or 2");
        }
        return queue(job, "r" + priority);
    }

    /** Sorted set: reserved tasks by visibility deadline. */
    public String inFlight(JobId job) {
        return queue(job, "x");
    }

    /** Hash: finished task id to its request key and receipt, for the retention. */
    public String done(JobId job) {
        return queue(job, "dn");
    }

    /** Sorted set: finished task id by the end of its retention. */
    public String doneExpiry(JobId job) {
        return queue(job, "dnz");
    }

    /** Sorted set: dead task id by time of death. */
    public String dead(JobId job) {
        return queue(job, "dlq");
    }

    /** Hash: {@code k<key>} to who has a deduplication key, {@code t<task id>} to the key of a task whose key is not its id. */
    public String deduplication(JobId job) {
        return queue(job, "dd");
    }

    /** Sorted set: deduplication key by the ms at which it may be forgotten. */
    public String deduplicationExpiry(JobId job) {
        return queue(job, "ddz");
    }

    /** Sorted set: the latest starts of a job with a rate limit by their ms; ends by itself. */
    public String starts(JobId job) {
        return queue(job, "rl");
    }

    /** Sorted set: instance by the end of its lease. */
    public String instanceLeases(JobId job) {
        return queue(job, "il");
    }

    /** Hash: instance to its state, pod and segments. */
    public String instanceMembers(JobId job) {
        return queue(job, "im");
    }

    /** Hash: instance to its last reservation, for a repeat of the same nonce. */
    public String reservations(JobId job) {
        return queue(job, "rn");
    }

    /** Stream: tasks that are held, pending in its one group, and those that were handled. Only with a stream as transport. */
    public String taskStream(JobId job) {
        return queue(job, "strm");
    }

    /** Hash: each held task to its entry in the stream and its receipt, and each such entry to its task. */
    public String streamEntries(JobId job) {
        return queue(job, "se");
    }

    /** Hash: when the stream's group was made, and how often one was lost. */
    public String streamMark(JobId job) {
        return queue(job, "sm");
    }

    /**
     * String: a task's record on a server without scripts, where it decides everything. Ends by itself once the task has
     * ended. The id stands in it as base64url, so that whatever its bytes are, it is 342 safe characters at most.
     */
    public String taskRecord(JobId job, byte[] taskId) {
        return taskRecords(job) + Base64.getUrlEncoder().withoutPadding().encodeToString(taskId);
    }

    /** What the names of all {@link #taskRecord} of a job begin with. */
    public String taskRecords(JobId job) {
        return queue(job, "c:");
    }

    /** Sorted set: every task that has a living record to the ms at which somebody has to look at it. */
    public String taskIndex(JobId job) {
        return queue(job, "ti");
    }

    /** List: hints that an instance has taken and not judged yet. Only on a server without scripts. */
    public String processing(JobId job, InstanceId instance) {
        return queue(job, "pr:" + instance);
    }

    /** String: an instance's last reservation, on a server without scripts. Ends by itself. */
    public String lastReservation(JobId job, InstanceId instance) {
        return queue(job, "rn:" + instance);
    }

    /** Stream: which tasks died, capped at the length that the job's definition names. */
    public String queueLog(JobId job) {
        return queue(job, "log");
    }

    /** Channel: a hint that tasks are ready, or that an instance was fenced. */
    public String queueWake(JobId job) {
        return queue(job, "wake");
    }

    /** String: over how many shards the job's tasks are spread; only in the first shard, and only once there were several. */
    public String layout(JobId job) {
        return prefix + "{" + job + "/0}:sh";
    }

    // Broadcast jobs.

    /** Channel: what is broadcast, each message whole; nothing of it is kept anywhere. */
    public String broadcast(JobId job) {
        return singleton(job, "cast");
    }

    // Namespaces.

    /** Hash: job name to its definition as JSON. */
    public String jobs(String namespace) {
        return prefix + "{" + namespace + "}:jobs";
    }

    /** Hash: pod UID to its assignment as JSON. */
    public String assignments(String namespace) {
        return prefix + "{" + namespace + "}:pods";
    }

    /** Channel: a hint that assignments or definitions of the namespace changed. */
    public String registrationWake(String namespace) {
        return prefix + "{" + namespace + "}:wake";
    }

    /** Hash: who holds which lease of the namespace, {@code app/<name>} or {@code job/<name>} to its record. */
    public String leases(String namespace) {
        return prefix + "{" + namespace + "}:lkh";
    }

    /** Sorted set: the same members by the end of the lease in ms. */
    public String leaseEnds(String namespace) {
        return prefix + "{" + namespace + "}:lkz";
    }

    /** String: the last sequence given to a lease of an app. No expiry. */
    public String leaseFence(String namespace) {
        return prefix + "{" + namespace + "}:lkf";
    }

    // Servers without scripts.

    /** String: in CAS mode, the content of all keys that have this key's hash tag, which then do not exist themselves. */
    public static String together(String key) {
        return beside(key, "cas");
    }

    /** The key of the given kind with the same hash tag. */
    public static String beside(String key, String kind) {
        return key.substring(0, key.indexOf("}:") + 2) + kind;
    }

    /** Patterns of all keys and channels of one namespace, as ACL rules without their leading sign. */
    public List<String> patternsOf(String namespace) {
        return List.of(prefix + "{" + namespace + "}:*", prefix + "{" + namespace + "/*");
    }

    /** Pattern of all keys and channels of the installation, as an ACL rule without its leading sign. */
    public String patternOfAll() {
        return prefix + "*";
    }

    private String singleton(JobId job, String kind) {
        return shared
                ? prefix + "{" + job.namespace() + "}:s:" + job.name() + ":" + kind
                : prefix + "{" + job + "}:" + kind;
    }

    private String queue(JobId job, String kind) {
        return prefix + "{" + job + "/" + shard + "}:" + kind;
    }
}
