package dev.soloist.coordination.storm;

import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.AbandonPolicy;
import dev.soloist.coordination.singleton.WatchRequest;
import java.time.Duration;

/** Takes the leases of processes that are certainly dead; asks more than once, for the answer may be lost. */
final class Undertaker implements Actor {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(3), 2, Duration.ofMillis(15));

    private final World world;

    Undertaker(World world) {
        this.world = world;
    }

    @Override
    public void step() {
        if (!world.dead.isEmpty()) {
            int which = world.dice.nextInt(world.dead.size());
            var dead = world.happens(60) ? world.dead.get(which) : world.dead.remove(which);
            var next = world.redisNow().plusMillis(5);
            var request = new WatchRequest(Duration.ZERO, AbandonPolicy.RETRY, next, BACKOFF, 3);
            world.singletons.reclaim(dead.job(), dead.instance(), dead.fence(), request);
        }
    }
}
