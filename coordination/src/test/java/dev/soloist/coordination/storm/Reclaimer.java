package dev.soloist.coordination.storm;

import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.instance.InstanceView.State;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.util.List;

/** The operator's part in a queue: sweeps, moves what is nobody's, fences the silent, has their segments adopted. */
final class Reclaimer implements Actor {

    private static final Evidence SILENT = new Evidence.LeaseOver(Duration.ofMillis(20));

    private final World world;

    Reclaimer(World world) {
        this.world = world;
    }

    @Override
    public void step() {
        switch (world.dice.nextInt(8)) {
            case 0 -> world.queue.sweepToShared(QueuePod.SWEEP);
            case 1, 2 -> world.queue.moveShared(50);
            case 3 -> revive();
            default -> instances();
        }
    }

    private void revive() {
        for (DeadTask task : world.queue.dead(0, 1)) {
            if (world.strikes(300)) {
                world.queue.requeue(task.id());
            }
        }
    }

    private void instances() {
        List<InstanceView> views = world.instances.list();
        List<InstanceId> living = views.stream()
                .filter(view -> view.state() == State.ACTIVE)
                .map(InstanceView::id)
                .toList();
        if (views.isEmpty() || living.isEmpty()) {
            return;
        }
        InstanceView one = views.get(world.dice.nextInt(views.size()));
        if (one.state() == State.FENCED || world.happens(10)) {
            world.instances.adopt(one.id(), living.get(world.dice.nextInt(living.size())));
        } else {
            // Also those that live, as above: the scripts have to refuse.
            world.instances.fence(one.id(), SILENT);
        }
    }
}
