package dev.soloist.sidecar.testkit;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Does what the operator would: publishes jobs, assigns pods, seeds records. */
public final class Board implements AutoCloseable {

    public final RedisLink link;
    public final RedisKeys keys = new RedisKeys(new Install("main"));
    public final ScriptRunner scripts;
    public final SingletonStore singletons;
    private final Registrations registrations;

    public Board(RedisProcess redis) {
        this(redis.link());
    }

    /** Over a link to whatever kind of store; it is closed with the board. */
    public Board(RedisLink link) {
        this.link = link;
        scripts = new ScriptRunner(link);
        singletons = new SingletonStore(scripts, keys);
        registrations = new Registrations(scripts, keys);
    }

    /** Publishes the job, and seeds it to be due after the given time when it is a singleton. */
    public JobDefinition publish(JobDefinition job, Duration firstDue) {
        registrations.publish(job);
        if (job.work() instanceof SingletonWork work) {
            var spec = new SpecRevision("1", work.schedule().text());
            var place = new SingletonStore(scripts, keys, job.policy().backend());
            place.seed(job.id(), job.uid(), job.term(), "mark", link.now().plus(firstDue), false, spec);
        }
        return job;
    }

    public void withdraw(JobId job) {
        registrations.withdraw(job);
    }

    public void assign(String podUid, JobDefinition... jobs) {
        assign(podUid, true, jobs);
    }

    public void assign(String podUid, boolean eligible, JobDefinition... jobs) {
        var names = new HashSet<String>();
        for (var job : jobs) {
            names.add(job.id().name());
        }
        registrations.assign(Jobs.NAMESPACE, podUid, new Assignment("pod-" + podUid, eligible, Set.copyOf(names)));
    }

    /** Publishes a delayed job, and waits until the pod takes part in it. */
    public void offer(JobDefinition job, TestPod pod) {
        publish(job, Duration.ZERO);
        assign(pod.uid, job);
        await().until(() -> pod.get("/v1/jobs/" + job.id().name()).statusCode() == 200);
    }

    public DelayedQueue queue(JobDefinition job) {
        return DelayedQueue.of(scripts, keys, job.id());
    }

    public Instances instances(JobDefinition job) {
        return new Instances(scripts, keys, job.id());
    }

    @Override
    public void close() {
        link.close();
    }
}
