package dev.soloist.coordination.storm;

import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.AbandonPolicy;
import dev.soloist.coordination.singleton.WatchRequest;
import java.time.Duration;

/** Looks at one job after the other. */
final class Watchdog implements Actor {

    private static final Duration GRACE = Duration.ofMillis(6);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(3), 2, Duration.ofMillis(15));

    private final World world;

    Watchdog(World world) {
        this.world = world;
    }

    @Override
    public void step() {
        var policy = world.happens(80) ? AbandonPolicy.RETRY : AbandonPolicy.SKIP;
        var request = new WatchRequest(GRACE, policy, world.redisNow().plusMillis(10), BACKOFF, 3);
        world.singletons.watch(world.jobs.get(world.dice.nextInt(world.jobs.size())), request);
    }
}
