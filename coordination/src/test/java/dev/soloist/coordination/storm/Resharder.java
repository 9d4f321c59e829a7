package dev.soloist.coordination.storm;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Shard;
import java.time.Duration;

/** The operator's part in a queue of several shards: changes their number, drains, sweeps, has the fenced adopted. */
final class Resharder implements Actor {

    private static final Evidence SILENT = new Evidence.LeaseOver(Duration.ofMillis(20));

    private final World world;
    private final Sharding sharding;
    private Drain drain;

    Resharder(World world, Sharding sharding) {
        this.world = world;
        this.sharding = sharding;
        this.drain = sharding.drain();
    }

    @Override
    public void step() {
        if (world.strikes(6)) {
            sharding.ask(1 + world.dice.nextInt(Sharding.MOST));
        }
        Layout layout = world.happens(20)
                ? sharding.layouts.arrange(sharding.definition())
                : sharding.layouts.read(world.mails);
        Shard shard = sharding.shard(world.dice.nextInt(layout.active()));
        switch (world.dice.nextInt(8)) {
            case 0 -> shard.queue().sweepToShared(QueuePod.SWEEP);
            case 1 -> shard.queue().moveShared(50);
            case 2 -> drain.turn(layout, 5);
            case 3 -> drain = world.happens(10) ? sharding.drain() : drain;
            default -> instances(shard);
        }
    }

    private void instances(Shard shard) {
        var views = shard.instances().list();
        var living = views.stream()
                .filter(view -> view.state() == InstanceView.State.ACTIVE)
                .toList();
        if (living.isEmpty()) {
            return;
        }
        var one = views.get(world.dice.nextInt(views.size()));
        if (one.state() == InstanceView.State.FENCED) {
            shard.instances()
                    .adopt(
                            one.id(),
                            living.get(world.dice.nextInt(living.size())).id());
        } else {
            shard.instances().fence(one.id(), SILENT);
        }
    }
}
