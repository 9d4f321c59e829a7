package dev.soloist.sidecar.history;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.Work;
import dev.soloist.coordination.schedule.Every;
import java.time.Duration;

/** What the cluster would keep of one job: its definition, its term, and what is wanted. Changed under its own monitor. */
final class SoakWish {

    private JobDefinition job;
    private long term = 1;
    private int born = 1;
    private boolean seeded;
    private boolean deleting;

    SoakWish(JobDefinition job) {
        this.job = job;
    }

    synchronized JobDefinition job() {
        return job;
    }

    synchronized long term() {
        return term;
    }

    synchronized boolean seeded() {
        return seeded;
    }

    synchronized boolean deleting() {
        return deleting;
    }

    synchronized void delete() {
        deleting = true;
    }

    synchronized void suspend(boolean suspended) {
        change(job.uid(), job.generation() + 1, suspended, job.work());
    }

    /** Another period. */
    synchronized void update() {
        if (job.work() instanceof SingletonWork work && work.schedule() instanceof Every(Duration every)) {
            var other = new Every(every.toMillis() > 1000 ? every.dividedBy(3) : every.multipliedBy(3));
            change(job.uid(), job.generation() + 1, job.suspended(), new SingletonWork(other, work.retry()));
        }
    }

    synchronized void seeded(long reached) {
        seeded = true;
        term = Math.max(term, reached);
    }

    /** Redis may have lost data: nothing is taken for seeded, and the term rises. */
    synchronized void raise(long from) {
        if (term == from) {
            term++;
            seeded = false;
        }
    }

    /** It is gone; made anew under another uid. */
    synchronized void gone(String uid) {
        if (job.uid().equals(uid)) {
            deleting = false;
            seeded = false;
            term = 1;
            born++;
            change("uid-" + job.id().name() + "-" + born, 1, false, job.work());
        }
    }

    private void change(String uid, long generation, boolean suspended, Work work) {
        job = new JobDefinition(job.id(), uid, generation, term, suspended, job.trigger(), job.policy(), work);
    }
}
