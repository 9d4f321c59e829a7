package dev.soloist.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.operator.core.JobWatchdog;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.core.StreamLosses;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the operator does about tasks that are, were, or ought to be spread over shards. */
class SpreadTasksIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int TASKS = 20;

    private RedisLink link;
    private Store store;
    private List<Step> steps;

    @BeforeEach
    void open() {
        link = REDIS.link();
        store = new Store(link, Install.MAIN);
        store.gate().look();
        steps = steps();
    }

    @AfterEach
    void close() {
        link.close();
    }

    /** Those of an operator that has just begun. */
    private List<Step> steps() {
        return List.of(
                new Look(store, new JobWatchdog(store), new OperatorMetrics(new SimpleMeterRegistry())),
                new LookAtStream(new StreamLosses(store)),
                new Observe(store));
    }

    private static Pass pass(String delayed, int generation) throws Exception {
        var job = ApiSerialization.strict().unmarshal("""
                        apiVersion: soloist.dev/v1alpha1
                        kind: DistributedJob
                        metadata: {name: j, namespace: ns, uid: u, generation: %d}
                        spec:
                          selector: {matchLabels: {app: j}}
                          trigger: {port: 8080, path: /}
                          eventLog: {}
                          delayed: %s
                        """.formatted(generation, delayed), DistributedJob.class);
        var pass = new Pass(job, List.of(), Optional.empty());
        pass.effective = EffectiveJob.of(job);
        assertThat(new Define().run(pass)).isEqualTo(Step.Next.GO_ON);
        return pass;
    }

    private Pass run(String delayed, int generation) throws Exception {
        var pass = pass(delayed, generation);
        for (var step : steps) {
            assertThat(step.run(pass)).isEqualTo(Step.Next.GO_ON);
        }
        return pass;
    }

    private void enqueue(JobDefinition job, Layout layout) {
        var me = InstanceId.create("pod");
        for (int number = 0; number < layout.active(); number++) {
            store.shard(job, layout, number).instances().register(me, "pod", MINUTE);
        }
        for (int i = 0; i < TASKS; i++) {
            var task = new NewTask(
                    TaskId.of("t" + i),
                    Payload.of(new byte[] {1}, "x/y"),
                    When.after(MINUTE),
                    Nonce.create().value(),
                    OnDuplicate.REJECT);
            store.queue(job, layout).enqueue(me, task);
        }
    }

    /** Only what reads the layout gets a string, of all that is done to a delayed job. */
    private long layoutsRead() {
        var calls = Pattern.compile("cmdstat_get:calls=(\\d+)").matcher(link.info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void aPassReadsTheLayoutOnce() throws Exception {
        for (var delayed : List.of("{}", "{transport: Stream}", "{shards: 3}")) {
            int generation = delayed.length();
            run(delayed, generation);
            run(delayed, generation);
            // So that the drain has come to its end.
            run(delayed, generation);
            long before = layoutsRead();

            run(delayed, generation);

            assertThat(layoutsRead() - before).as(delayed).isEqualTo(1);
        }
    }

    @Test
    void theStatusTellsOfFormerShardsUntilTheirTasksAreGone() throws Exception {
        var three = run("{shards: 3}", 1);
        enqueue(three.definition(), store.arrange(three.definition()));

        var one = run("{shards: 1}", 2);

        assertThat(one.tasks.formerShards()).contains(3);
        assertThat(one.tasks.pending()).isEqualTo(TASKS);
        assertThat(JobStatusOf.pass(one, Instant.EPOCH).getDelayed().formerShards())
                .contains(3);
        for (int i = 0; i < TASKS; i++) {
            store.queue(one.definition(), one.layout).cancel(TaskId.of("t" + i));
        }
        for (int number = 0; number < 3; number++) {
            link.call("DEL", store.keys().ofShard(number).done(one.id));
        }
        run("{shards: 1}", 2);
        assertThat(run("{shards: 1}", 2).tasks.formerShards()).isNull();
    }

    @Test
    void whatALostLayoutHasLeftInOtherShardsIsFoundByAnOperatorThatHasJustBegun() throws Exception {
        var three = run("{shards: 3}", 1);
        enqueue(three.definition(), store.arrange(three.definition()));
        var one = run("{shards: 1}", 2);
        link.call("DEL", store.keys().layout(one.id));
        steps = steps();

        for (int turn = 0; turn < Layout.MAX; turn++) {
            run("{shards: 1}", 2);
        }

        assertThat(run("{shards: 1}", 2).tasks.pending()).isEqualTo(TASKS);
    }
}
