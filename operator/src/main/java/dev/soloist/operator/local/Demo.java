package dev.soloist.operator.local;

import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.operator.core.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// One performance from an empty Redis to the judgement.
final class Demo {

    private static final int PODS = 3;
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final Duration AT_ONCE = Duration.ofMillis(5);
    private static final int LOOKS = 20;
    private static final int LOG_TAIL = 15;

    private final DemoSettings settings;
    private final Script script;
    private final Timeline timeline;
    private final Ledger ledger = new Ledger();

    Demo(DemoSettings settings, Script script, Timeline timeline) {
        this.settings = settings;
        this.script = script;
        this.timeline = timeline;
    }

    /// Plays the script and judges.
    ///
    /// @return whether all promises were kept
    /// @throws IOException if it could not begin; the message is for people
    boolean run() throws IOException, NoRedis, InterruptedException {
        var plan = Plan.of(Manifests.read(settings.manifests()));
        var sidecar = settings.sidecarJar();
        try (var cleanup = Cleanup.atExit()) {
            return run(cleanup, plan, sidecar);
        }
    }

    private boolean run(Cleanup cleanup, Plan plan, Path sidecar) throws IOException, NoRedis, InterruptedException {
        try {
            var scratch = cleanup.add(Scratch.create(settings.scratch()));
            var children = cleanup.add(Children.guardedBy(scratch.path()));
            var redis = cleanup.add(LocalRedis.start(settings.redisUrl(), children, scratch.path()));
            timeline.say("redis", redis.toString());
            var store = new Store(redis.link(), redis.install());
            var operator = cleanup.add(new LocalOperator(store, plan, timeline));
            var app = AppClasses.compile(
                    settings.app(), Files.createDirectory(scratch.path().resolve("app")));
            var pods =
                    new PodSettings(scratch.path(), plan.namespace(), redis.install(), redis.settings(), app, sidecar);
            var ahead = ahead(redis.link());
            var cluster = new LocalCluster(pods, children, operator, ledger, timeline, ahead);
            for (var job : plan.jobs()) {
                if (job.work() instanceof SingletonWork) {
                    cleanup.add(LeaseWatcher.start(store.singletons(job.policy().backend()), job.id(), timeline));
                }
            }
            var probes = cleanup.add(new Probes());
            cleanup.add(timeline::end);
            cleanup.add(cluster::end);
            return play(new Show(cluster, plan, probes, ledger, timeline), operator);
        } catch (IOException e) {
            if (cleanup.fromOutside()) {
                return false;
            }
            throw e;
        }
    }

    /// How much later it is for Redis than here. A look during which the machine stood still says nothing, so another
    /// is
    /// taken; the shortest counts.
    private static Duration ahead(RedisLink link) {
        var shortest = Duration.ofDays(1);
        var ahead = Duration.ZERO;
        for (int look = 0; look < LOOKS && shortest.compareTo(AT_ONCE) > 0; look++) {
            var before = Instant.now();
            var there = link.now();
            var took = Duration.between(before, Instant.now());
            if (took.compareTo(shortest) < 0) {
                shortest = took;
                ahead = Duration.between(before, there);
            }
        }
        return ahead;
    }

    private boolean play(Show show, LocalOperator operator) throws IOException, InterruptedException {
        for (int i = 0; i < PODS; i++) {
            var pod = show.cluster().add();
            timeline.say("pod", pod.name() + " is started: app and sidecar, uid " + pod.uid());
        }
        // Jobs after pods, so that the first run is not late for want of a pod.
        long deadline = Script.in(READY_WITHIN);
        boolean begun = show.cluster().pods().stream().allMatch(pod -> show.awaitReady(pod, deadline));
        if (begun) {
            operator.start();
            show.plan().jobs().forEach(job -> timeline.say("job", job.id() + " is in force"));
            show.cluster().pods().forEach(show.cluster()::admit);
            script.play(show);
        }
        var promises =
                script.judge(new Judgement(script.fewestRuns(), settings.failoverWithin(), operator.now()), ledger);
        boolean kept = begun && promises.stream().allMatch(Promise::kept);
        show.cluster().end();
        timeline.end();
        timeline.plain("");
        promises.forEach(promise -> timeline.plain(promise.toString()));
        if (ledger.trouble() != null) {
            timeline.plain("  " + ledger.trouble());
        }
        if (!kept) {
            tellLogs(show.cluster().pods());
        }
        return kept;
    }

    private void tellLogs(List<LocalPod> pods) {
        for (var pod : pods) {
            for (var container : List.of("sidecar", "app")) {
                tail(pod.log(container))
                        .forEach(line -> timeline.plain("  " + pod.name() + " " + container + ": " + line));
            }
        }
    }

    private static List<String> tail(Path log) {
        try {
            var lines = Files.readAllLines(log);
            return lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size());
        } catch (IOException noLog) {
            return List.of();
        }
    }
}
