package dev.soloist.coordination.store;

import static dev.soloist.coordination.durability.Durability.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.delayed.stream.ReplayRequest;
import dev.soloist.coordination.delayed.stream.Replayed;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.EventPage;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.lease.Acquisition;
import dev.soloist.coordination.lease.LeaseHolder;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseRelease;
import dev.soloist.coordination.lease.LeaseRenewal;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.lease.Revocation;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layouts;
import dev.soloist.coordination.singleton.AbandonPolicy;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.Moving;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.singleton.WatchRequest;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every script and every call on three primaries: a CROSSSLOT would come out as an error of the script. */
class EveryScriptOnAClusterIT {

    private static final Path SCRIPTS = Path.of("src/main/resources");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Transport STREAM = new Transport.Stream(MINUTE, 1000);
    private static final Backoff SOON = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(0);

    private final RedisKeys keys = new RedisKeys(Install.MAIN);
    private final Set<String> ran = new TreeSet<>();
    private RedisLink link;
    private ScriptRunner scripts;

    @BeforeEach
    void open() {
        link = GROUP.patientLink();
        scripts = new ScriptRunner((script, names, arguments) -> {
            assertThat(names.stream().map(SlotHash::getSlot).distinct())
                    .as("slots of the keys of %s", script.name())
                    .hasSize(1);
            ran.add(script.name().replace(" (Hash)", ""));
            return link.eval(script.sha(), script.text(), names, arguments);
        });
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void f08_everyScriptAndEveryCallStaysInOneSlotAndTheJobsAreSpread() throws IOException {
        var nodes = new HashSet<RedisProcess>();
        for (int i = 0; i < 5; i++) {
            runSingleton(new JobId("shop", "report-" + i), Backend.STRING);
            runSingleton(new JobId("shop", "report-" + i), Backend.HASH);
            runQueue(new JobId("shop", "mail-" + i), Transport.LIST);
            runQueue(new JobId("shop", "letter-" + i), STREAM);
            nodes.add(GROUP.ownerOf(keys.record(new JobId("shop", "report-" + i))));
            nodes.add(GROUP.ownerOf(keys.tasks(new JobId("shop", "mail-" + i))));
        }
        runRegistrations();
        runLeases();
        runShards();

        assertThat(nodes).as("nodes that hold ten jobs").hasSize(3);
        // Those of the probe run in ClusterProbeIT, on keys of their own.
        assertThat(ran)
                .containsExactlyInAnyOrderElementsOf(allScripts().stream()
                        .filter(name -> !name.contains("/capability/"))
                        .toList());
    }

    @Test
    void f08_theProbeFindsThatAClusterCanDoAll() {
        var store = CoordinationStore.ofNamespace(link, Install.MAIN, "shop", () -> ModeWish.SCRIPTED);

        store.gate().look();

        assertThat(store.isUsable()).as("%s", store.gate().verdict()).isTrue();
    }

    private void runSingleton(JobId job, Backend backend) {
        var store = new SingletonStore(scripts, keys, backend).logging(10);
        var own = backend == Backend.HASH ? keys.shared() : keys;
        var me = InstanceId.create("pod");
        var spec = new SpecRevision("1", "every 1h");
        store.beginLog(job, "uid");
        store.seed(job, "uid", 1, "mark", link.now(own.record(job)).minusMillis(10), false, spec);
        store.raiseTerm(job, 2);
        store.promote(job);
        var nonce = Nonce.create();
        Grant grant = claimed(store, job, me, nonce);
        store.renew(job, me, nonce, MINUTE);
        store.finish(job, me, nonce, grant.fence(), finish(job));
        store.triggerNow(job, true);
        store.promote(job);
        var second = Nonce.create();
        Grant again = claimed(store, job, me, second);
        store.watch(job, watch(job));
        store.reclaim(job, me, again.fence(), watch(job));
        var third = Nonce.create();
        claimed(store, job, me, third);
        store.release(job, me, third);
        store.suspend(job);
        store.resume(job, link.now(own.record(job)).plusSeconds(60));
        store.updateSpec(
                job,
                new SpecRevision("2", "every 2h"),
                link.now(own.record(job)).plusSeconds(60));
        assertThat(store.history(job)).isNotEmpty();
        assertThat(new EventLog(scripts, own.log(job)).after(EventId.START, 10))
                .isInstanceOfSatisfying(
                        EventPage.Events.class,
                        page -> assertThat(page.events()).hasSize(3));
        store.snapshot(job);
        store.foreignLock(job);
        new EventLog(scripts, own.log(job)).copyTo(new EventLog(scripts, own.log(job)), 10);
        assertThat(store.moveAway(job, "uid"))
                .isInstanceOfSatisfying(Moving.Away.class, away -> store.forget(job, "uid", away.carried()));
        store.delete(job, "uid");
    }

    private Grant claimed(SingletonStore store, JobId job, InstanceId me, Nonce nonce) {
        var notAfter = link.now(keys.record(job)).plusSeconds(2);
        var claim = store.claim(job, new ClaimRequest(2, me, "pod", nonce, MINUTE, notAfter));
        assertThat(claim).isInstanceOf(Claim.Claimed.class);
        return ((Claim.Claimed) claim).grant();
    }

    private FinishRequest finish(JobId job) {
        var next = link.now(keys.record(job)).plusSeconds(60);
        return new FinishRequest(RunResult.SUCCEEDED, "", next, false, ReleasePolicy.ON_COMPLETION, Duration.ZERO);
    }

    private WatchRequest watch(JobId job) {
        return new WatchRequest(
                Duration.ZERO, AbandonPolicy.RETRY, link.now(keys.record(job)).plusSeconds(60), SOON, 3);
    }

    private void runQueue(JobId job, Transport transport) {
        DelayedQueue queue = DelayedQueue.of(
                scripts, keys, job, QueueLimits.DEFAULT.withLog(10).withTransport(transport));
        var instances = new Instances(scripts, keys, job);
        var me = InstanceId.create("pod");
        var dead = InstanceId.create("dead");
        instances.register(me, "pod-1", MINUTE);
        instances.register(dead, "pod-2", MINUTE);
        instances.heartbeat(me, MINUTE);
        for (String id : List.of("a", "b", "c", "d")) {
            queue.enqueue(me, task(id, When.now()));
        }
        queue.enqueue(me, task("later", When.after(MINUTE)));
        queue.enqueueAll(
                me, List.of(task("much later", When.after(MINUTE)), task("later still", When.after(MINUTE))), LOCAL);
        queue.reschedule(TaskId.of("later"), When.after(Duration.ofMinutes(2)), me);
        queue.move(me.value(), 10);
        queue.moveShared(10);
        List<ReservedTask> held =
                ((Reservation.Reserved) queue.reserve(me, new ReserveRequest(Nonce.create(), 10, MINUTE, 3))).tasks();
        assertThat(held).hasSize(4);
        queue.extend(held.get(0).held(), MINUTE);
        queue.ack(held.get(0).held());
        queue.giveBack(me, GiveBack.unseen(held.get(1).held(), MINUTE, "again"), 3);
        queue.giveBack(me, GiveBack.dead(held.get(2).held(), "no"), 3);
        queue.sweep(me, new SweepRequest(10, SOON, 3));
        queue.sweepToShared(new SweepRequest(10, SOON, 3));
        assertThat(queue.dead(0, 10)).hasSize(1);
        assertThat(new EventLog(scripts, keys.queueLog(job)).newest(10))
                .isInstanceOfSatisfying(
                        EventPage.Events.class,
                        page -> assertThat(page.events()).hasSize(1));
        queue.requeue(held.get(2).id());
        queue.cancel(TaskId.of("later"));
        assertThat(queue.inspect(TaskId.of("b"))).isPresent();
        queue.giveBack(me, GiveBack.dead(held.get(3).held(), "no"), 3);
        assertThat(queue.discard(held.get(3).id())).isEqualTo(Discard.DISCARDED);
        queue.purgeDead();
        queue.purge();
        queue.stream().ifPresent(stream -> runStream(stream, me));
        assertThat(queue.counts(instances.segments(me)).pending()).isPositive();
        Repair repair = Repair.begin(MINUTE, Duration.ZERO).owning(List.of(me.value(), dead.value()));
        while (!repair.isFinished()) {
            repair = queue.repair(repair).next();
        }
        instances.fence(dead, new Evidence.Terminated());
        instances.adopt(dead, me);
        instances.drop(me, dead.value());
        assertThat(instances.list()).isNotEmpty();
        instances.leave(me);
    }

    private static void runStream(TaskStream stream, InstanceId me) {
        assertThat(stream.state().entries()).isPositive();
        assertThat(stream.replay(me, new ReplayRequest(Instant.EPOCH, null, "again")))
                .isInstanceOfSatisfying(
                        Replayed.class, replayed -> assertThat(replayed.until()).isAfter(Instant.EPOCH));
    }

    private static NewTask task(String id, When when) {
        var payload = Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json");
        return new NewTask(TaskId.of(id), payload, when, Nonce.create().value(), OnDuplicate.REJECT);
    }

    private void runRegistrations() {
        var registrations = new Registrations(scripts, keys);
        var policy = new LeasePolicy(
                MINUTE, true, MINUTE, ReleasePolicy.ON_COMPLETION, Duration.ZERO, MINUTE, MINUTE, MINUTE);
        var work = new DelayedWork(MINUTE, 5, SOON, 10, OnDuplicate.REJECT);
        var id = new JobId("shop", "mail-0");
        var trigger = new Trigger(8080, "/", Duration.ofSeconds(1));
        registrations.publish(new JobDefinition(id, "uid", 1, 1, false, trigger, policy, work));
        registrations.assign("shop", "pod", new Assignment("pod-1", true, Set.of("mail-0")));
        assertThat(registrations.assignments("shop")).hasSize(1);
        assertThat(registrations.published("shop")).hasSize(1);
        assertThat(registrations.read("shop", "pod").jobs()).hasSize(1);
        registrations.unassign("shop", "pod");
        registrations.withdraw(id);
    }

    private void runLeases() {
        var leases = new Leases(scripts, keys, "shop");
        var name = new LeaseName("export");
        var me = new LeaseHolder("pod", "pod-1");
        var granted = (Acquisition.Acquired) leases.acquire(name, me, Nonce.create(), MINUTE);
        assertThat(leases.renew(name, me, granted.fence())).isInstanceOf(LeaseRenewal.Renewed.class);
        assertThat(leases.revoke(name, granted.fence())).isInstanceOf(Revocation.Revoked.class);
        assertThat(leases.list().leases()).hasSize(1);
        assertThat(leases.release(name, me, granted.fence())).isEqualTo(new LeaseRelease.Released());
    }

    private void runShards() {
        var layouts = new Layouts(scripts, keys);
        var job = new JobId("shop", "spread");
        var work = new DelayedWork(MINUTE, 5, SOON, 10, OnDuplicate.REJECT);
        var policy = new LeasePolicy(
                MINUTE, true, MINUTE, ReleasePolicy.ON_COMPLETION, Duration.ZERO, MINUTE, MINUTE, MINUTE);
        var trigger = new Trigger(8080, "/", Duration.ofSeconds(1));
        for (int shards : List.of(3, 2)) {
            layouts.arrange(
                    new JobDefinition(job, "uid", 4 - shards, 1, false, trigger, policy, work.withShards(shards)));
        }
        var drain = new Drain(scripts, keys, job);
        drain.turn(layouts.read(job), 10);
        assertThat(layouts.read(job).former()).isEmpty();
        drain.turn(layouts.read(job), 10);
        assertThat(layouts.read(job).span()).isEqualTo(2);
    }

    /** Those of the probe run over another way. */
    private static Set<String> allScripts() throws IOException {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .map(file -> SCRIPTS.relativize(file).toString())
                    .filter(name -> !name.contains("/capability/"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
