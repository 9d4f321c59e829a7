package dev.soloist.coordination.storm;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Shard;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * The operator's part in a queue of several shards: changes their number, drains, sweeps, purges, has the fenced adopted. A second
 * one drains by a layout that it read some time ago.
 */
final class Resharder implements Actor {

    private static final Evidence SILENT = new Evidence.LeaseOver(Duration.ofMillis(20));

    private final World world;
    private final Sharding sharding;
    private final Drain sleeper;
    private Drain drain;
    private Layout asleepSince;

    Resharder(World world, Sharding sharding) {
        this.world = world;
        this.sharding = sharding;
        this.drain = sharding.drain();
        this.sleeper = sharding.drain();
        this.asleepSince = Layout.SINGLE;
    }

    @Override
    public void step() {
        Layout layout = world.happens(20)
                ? sharding.layouts.arrange(sharding.definition())
                : sharding.layouts.read(world.mails);
        if (world.strikes(likeness(layout))) {
            sharding.ask(1 + world.dice.nextInt(Sharding.MOST));
        }
        Shard shard = sharding.shard(world.dice.nextInt(layout.active()));
        asleepSince = world.happens(3) ? layout : asleepSince;
        switch (world.dice.nextInt(11)) {
            case 0 -> shard.queue().sweepToShared(QueuePod.SWEEP);
            case 1 -> shard.queue().moveShared(50);
            case 2, 6 -> drain.turn(layout, 20);
            case 3 -> drain = world.happens(10) ? sharding.drain() : drain;
            case 4 -> sleeper.turn(asleepSince, 20);
            case 5 ->
                IntStream.range(0, layout.active())
                        .forEach(number -> sharding.shard(number).queue().purge());
            default -> instances(shard);
        }
    }

    /** Of a change at this step, in a thousand: where drains can come to an end, soon after one has. */
    private int likeness(Layout layout) {
        return sharding.isBrief() ? layout.former().isEmpty() ? 30 : 1 : 6;
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
