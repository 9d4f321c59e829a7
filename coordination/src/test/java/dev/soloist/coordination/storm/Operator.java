package dev.soloist.coordination.storm;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.singleton.Deletion;
import dev.soloist.coordination.singleton.Seeding;
import dev.soloist.coordination.singleton.SpecRevision;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Wishes now this, now that, and tells Redis its wishes at every reconcile. A step is one job's reconcile. */
final class Operator implements Actor {

    private static final class Wish {
        int uid = 1;
        long term = 1;
        int revision = 1;
        boolean suspended;
        boolean deleting;
        boolean seeded;

        String uidText() {
            return "uid-" + uid;
        }
    }

    private final World world;
    private final Runnable forgetScripts;
    private final Map<JobId, Wish> wishes = new HashMap<>();

    Operator(World world, Runnable forgetScripts) {
        this.world = world;
        this.forgetScripts = forgetScripts;
    }

    @Override
    public void step() {
        JobId job = world.jobs.get(world.dice.nextInt(world.jobs.size()));
        Wish wish = wishes.computeIfAbsent(job, _ -> new Wish());
        change(job, wish);
        if (wish.deleting) {
            delete(job, wish);
        } else if (seed(job, wish)) {
            settle(job, wish);
        }
    }

    private void change(JobId job, Wish wish) {
        if (world.isCalm()) {
            wish.suspended = false;
            return;
        }
        if (wish.suspended && world.happens(40)) {
            wish.suspended = false;
            return;
        }
        switch (world.dice.nextInt(50)) {
            case 0, 1 -> world.singletons.triggerNow(job, world.happens(50), "request-" + world.dice.nextInt(1000));
            case 2, 3 -> wish.revision++;
            case 4 -> wish.suspended = true;
            case 6, 7, 8 -> wish.deleting = true;
            case 9 -> wish.term++;
            case 10 -> forgetScripts.run();
            default -> {}
        }
    }

    private void delete(JobId job, Wish wish) {
        switch (world.singletons.delete(job, wish.uidText())) {
            case Deletion.Deleted _, Deletion.Absent _, Deletion.OtherUid _ -> {
                wish.deleting = false;
                wish.seeded = false;
                wish.uid++;
            }
            case Deletion.AfterRun _ -> {}
        }
    }

    private boolean seed(JobId job, Wish wish) {
        Instant soon = world.redisNow().plus(world.upTo(12));
        String uid = wish.uidText();
        switch (world.singletons.seed(job, uid, wish.term, "mark", soon, wish.seeded, spec(wish))) {
            case Seeding.Seeded(var _, long reached) -> {
                wish.seeded = true;
                wish.term = Math.max(wish.term, reached);
                return true;
            }
            case Seeding.Present(var _, var _, String whose)
            when whose.equals(uid) -> {
                wish.seeded = true;
                return true;
            }
            case Seeding.Present(var _, var _, String whose) -> world.singletons.delete(job, whose);
            case Seeding.Gone _ -> wish.uid++;
            case Seeding.Waiting _ -> {}
            case Seeding.DataLoss _ -> throw new IllegalStateException("no data was lost, yet a record is missing");
        }
        return false;
    }

    private void settle(JobId job, Wish wish) {
        Instant soon = world.redisNow().plus(world.upTo(12));
        world.singletons.raiseTerm(job, wish.term);
        world.singletons.updateSpec(job, spec(wish), soon);
        if (wish.suspended) {
            world.singletons.suspend(job);
        } else {
            world.singletons.resume(job, soon);
        }
    }

    private static SpecRevision spec(Wish wish) {
        return new SpecRevision(String.valueOf(wish.revision), "schedule " + wish.revision % 2);
    }
}
