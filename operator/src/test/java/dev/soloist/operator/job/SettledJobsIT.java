package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.Jobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the sidecars of a namespace may be sent to a store. No operator runs here: the test writes what one remembers. */
@Tag("api")
class SettledJobsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private String namespace = "";
    private SettledJobs settled;

    @BeforeEach
    void open() {
        link = REDIS.link();
        namespace = ApiServer.newNamespace();
        settled = new SettledJobs(ApiServer.admin(), new Store(link, Install.MAIN));
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void sidecarsOfANewNamespaceDoNotWaitForJobsThatWereNeverInForce() {
        assertThat(settled.test(namespace)).isTrue();
        Jobs.apply(Jobs.singleton(namespace, "new", "{every: 1h}"));
        assertThat(settled.test(namespace)).isTrue();
        remember("new", 1, null);
        assertThat(settled.test(namespace)).isTrue();
    }

    @Test
    void aJobThatWasInForceElsewhereOrLostItsStateIsWaitedFor() {
        Jobs.apply(Jobs.singleton(namespace, "job", "{every: 1h}"));
        remember("job", 1, "mark@another.server");
        assertThat(settled.test(namespace)).as("on another server").isFalse();
        remember("job", 2, null);
        assertThat(settled.test(namespace)).as("its state was lost").isFalse();
        remember("job", 2, "mark@" + here() + "?");
        assertThat(settled.test(namespace)).as("raised, and not seeded").isFalse();

        remember("job", 2, "mark@" + here());
        assertThat(settled.test(namespace)).isTrue();
    }

    private String here() {
        return id("server", "run_id") + "." + id("replication", "master_replid");
    }

    private String id(String section, String field) {
        return link.info(section)
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip().substring(0, 12))
                .findFirst()
                .orElseThrow();
    }

    private void remember(String name, long term, String seeded) {
        var job = Jobs.get(new JobId(namespace, name)).orElseThrow();
        var status = new DistributedJobStatus();
        status.setTerm(term);
        status.setSeeded(seeded);
        job.setStatus(status);
        ApiServer.admin().resource(job).updateStatus();
    }
}
