package dev.soloist.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes happen what the counters count that the traffic alone leaves at zero. */
final class Trouble implements AutoCloseable {

    private static final RedisKeys KEYS = new RedisKeys(new Install("main"));
    private static final JobId LASTS = new JobId(Installation.NAMESPACE, "lasts");
    private static final JobId REMINDERS = new JobId(Installation.NAMESPACE, "reminders");

    private final Installation installation;
    private final RedisLink link;
    private final AtomicInteger orphans = new AtomicInteger();

    Trouble(Installation installation) {
        this.installation = installation;
        this.link = installation.redis().link();
    }

    void make() throws InterruptedException {
        askTheWebhook();
        until("soloist_broadcasts_received_total", () -> post("news/broadcast", "{\"payload\": 1}"));
        until("soloist_dead_letters_total", () -> post(REMINDERS.name() + "/dead/never-1/requeue", ""));
        until(
                "soloist_duplicates_known_total",
                () -> post("invoices/tasks", "{\"id\": \"ok-paid\", \"delay\": \"0s\"}"));
        until("soloist_tasks_replayed_total", () -> {
            post("archive/tasks", "{\"id\": \"ok-page\", \"delay\": \"0s\"}");
            return post("archive/replay", "{\"from\": \"2026-01-01T00:00:00Z\"}");
        });
        loseALease();
        fenceALivingInstance();
        killAPod();
        takeTheStoreAway();
        loseTheDataOfTheStore();
        askTheWebhook();
    }

    /** Until it answers: who serves it may have to wait for the machine. */
    private void askTheWebhook() {
        await("the webhook").atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> {
            askTheWebhookOnce();
            return true;
        });
    }

    private void begins(String path) throws InterruptedException {
        assertThat(installation.app().begun(path).tryAcquire(3, TimeUnit.MINUTES))
                .as("a run of %s begins", path)
                .isTrue();
    }

    private void askTheWebhookOnce() throws IOException, GeneralSecurityException {
        var webhook = installation
                .kube()
                .client()
                .resources(MutatingWebhookConfiguration.class)
                .withName("soloist-injector")
                .get()
                .getWebhooks()
                .getFirst();
        installation
                .operator()
                .review(Manifests.read("review.json"), webhook.getClientConfig().getCaBundle());
    }

    private void loseALease() throws InterruptedException {
        begins("/lasts");
        link.call("DEL", KEYS.lock(LASTS));
        awaitCount("soloist_lease_lost_total");
    }

    private void fenceALivingInstance() {
        var instances = new Instances(new ScriptRunner(link), KEYS, REMINDERS);
        await().atMost(Duration.ofSeconds(90)).until(() -> !instances.list().isEmpty());
        instances.fence(instances.list().getFirst().id(), new Evidence.Terminated());
        awaitCount("soloist_fenced_total");
    }

    /** The third pod dies in mid-run with a task that is not yet due; its kubelet says so. */
    private void killAPod() throws InterruptedException {
        begins("/doomed");
        var sidecar = installation.sidecars().get(2);
        await().atMost(Duration.ofSeconds(90))
                .ignoreExceptions()
                .until(() -> Traffic.enqueue(
                                sidecar,
                                REMINDERS.name(),
                                "ok-orphan-" + orphans.incrementAndGet(),
                                Duration.ofSeconds(20))
                        == 202);
        sidecar.kill();
        installation.pods().get(2).reportTerminated();
        awaitCount("soloist_operator_reclaims_total");
    }

    /** Longer than a command may take. Meanwhile the operator learns something of a pod that it cannot write down. */
    private void takeTheStoreAway() {
        installation.redis().pause(true);
        installation.pods().getFirst().reportRunning("False");
        awaitCount("soloist_loop_errors_total");
        awaitCount("soloist_operator_errors_total");
        installation.redis().pause(false);
        installation.pods().getFirst().reportRunning("True");
    }

    private void loseTheDataOfTheStore() {
        installation.redis().kill();
        installation.redis().start();
    }

    /** Does it again and again, for a sidecar may not know of the job yet, until it was counted. */
    private void until(String counter, Callable<Integer> step) {
        await(counter + " rises")
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptions()
                .until(() -> {
                    step.call();
                    return hasCounted(counter);
                });
    }

    private int post(String path, String body) throws IOException {
        return Traffic.post(installation.sidecars().getFirst(), path, body);
    }

    private void awaitCount(String counter) {
        await(counter + " rises. The operator's log:\n"
                        + installation.operator().logTail())
                .atMost(Duration.ofSeconds(90))
                .until(() -> hasCounted(counter));
    }

    private boolean hasCounted(String counter) {
        return !installation.prometheus().query("sum(" + counter + ") > 0").isEmpty();
    }

    @Override
    public void close() {
        link.close();
    }
}
