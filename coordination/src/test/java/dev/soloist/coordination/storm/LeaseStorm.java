package dev.soloist.coordination.storm;

import dev.soloist.coordination.history.Checker;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.ScriptNames;
import dev.soloist.coordination.history.ServerAccount;
import dev.soloist.coordination.history.ServerMonitor;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.lease.Acquisition;
import dev.soloist.coordination.lease.LeaseHolder;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseRenewal;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Many apps and few names: leases that are renewed in time, too late, twice or not at all, given back by whom they are and by
 * others, revoked, and asked for again after an answer was lost. The history tells whether every rule was kept.
 */
final class LeaseStorm {

    /** Redis keeps whole milliseconds; a sidecar tells its app a lot less than this. */
    private static final Duration ROUNDING = Duration.ofMillis(2);

    private final RedisProcess redis;
    private final int apps;
    private final long seed;
    private final UnaryOperator<LuaScript> change;
    private final History history = new History();
    private final CountDownLatch end = new CountDownLatch(1);

    LeaseStorm(RedisProcess redis, int apps, long seed, UnaryOperator<LuaScript> change) {
        this.redis = redis;
        this.apps = apps;
        this.seed = seed;
        this.change = change;
    }

    History history() {
        return history;
    }

    List<String> run(Duration time) throws InterruptedException {
        var markers = new LinkedBlockingQueue<String>();
        try (var inspector = redis.link();
                var _ = new ServerMonitor(
                        redis.port(), new ServerAccount(new ScriptNames(change), history, markers::add))) {
            var clock = new Timeline(inspector);
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < apps; i++) {
                threads.add(Thread.ofVirtual().start(new App("pod-" + i, seed + i, clock)));
            }
            end.await(time.toMillis(), TimeUnit.MILLISECONDS);
            end.countDown();
            for (var app : threads) {
                app.join(Duration.ofSeconds(60));
            }
            inspector.call("ECHO", "end");
            markers.poll(20, TimeUnit.SECONDS);
        }
        return Checker.violations(history.events());
    }

    private final class App implements Runnable {

        private final LeaseHolder me;
        private final RandomGenerator dice;
        private final Timeline clock;

        App(String pod, long seed, Timeline clock) {
            this.me = new LeaseHolder(pod, pod);
            this.dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            this.clock = clock;
        }

        @Override
        public void run() {
            try (RedisLink link = redis.link()) {
                var scripts = new ScriptRunner((script, keys, arguments) -> {
                    var changed = change.apply(script);
                    return link.eval(changed.sha(), changed.text(), keys, arguments);
                });
                var leases = new Leases(scripts, new RedisKeys(Install.MAIN), "shop");
                while (!waits(dice.nextInt(5))) {
                    turn(leases);
                }
            }
        }

        private void turn(Leases leases) {
            var name = new LeaseName("name-" + dice.nextInt(2));
            var ttl = Duration.ofMillis(20 + dice.nextInt(60));
            var nonce = Nonce.create();
            long sent = System.nanoTime();
            var answer = leases.acquire(name, me, nonce, ttl);
            if (dice.nextInt(10) == 0) {
                // That answer was lost; the call is sent again.
                sent = System.nanoTime();
                answer = leases.acquire(name, me, nonce, ttl);
            }
            if (answer instanceof Acquisition.Acquired(Fence fence, Duration remaining, var _, var _)) {
                hold(leases, name, fence, ttl, sent + usable(remaining));
            } else if (dice.nextInt(8) == 0) {
                meddle(leases);
            }
        }

        private void hold(Leases leases, LeaseName name, Fence fence, Duration ttl, long first) {
            long from = System.nanoTime();
            long until = first;
            for (int renewals = dice.nextInt(4); renewals > 0; renewals--) {
                // Now and then for longer than the lease: a frozen app.
                waits(dice.nextInt(8) == 0 ? ttl.toMillis() + 5 : dice.nextInt((int) ttl.toMillis()));
                long sent = System.nanoTime();
                if (leases.renew(name, me, fence) instanceof LeaseRenewal.Renewed(Duration remaining, var _)
                        && System.nanoTime() - until < 0) {
                    until = sent + usable(remaining);
                }
            }
            boolean givesBack = dice.nextInt(4) > 0;
            until = givesBack ? Math.min(until, System.nanoTime()) : until;
            if (until - from > 0) {
                history.add(new Event.Believed(
                        clock.micros(), "shop/app/" + name, me.podUid(), fence.toString(), from, until));
            }
            if (givesBack) {
                leases.release(name, me, fence);
                if (dice.nextInt(4) == 0) {
                    leases.release(name, me, fence);
                }
            }
        }

        private static long usable(Duration remaining) {
            return remaining.minus(ROUNDING).toNanos();
        }

        /** Somebody else's lease, by the very fence that a list shows. */
        private void meddle(Leases leases) {
            for (var lease : leases.list().leases()) {
                if (lease instanceof LeaseView.OfApp app && !app.holder().equals(me)) {
                    var name = new LeaseName(app.name());
                    switch (dice.nextInt(3)) {
                        case 0 -> leases.revoke(name, app.fence());
                        case 1 -> leases.renew(name, me, app.fence());
                        default -> leases.release(name, me, app.fence());
                    }
                }
            }
        }

        private boolean waits(long millis) {
            try {
                return end.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        }
    }
}
