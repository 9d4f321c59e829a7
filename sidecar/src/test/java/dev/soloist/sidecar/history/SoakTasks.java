package dev.soloist.sidecar.history;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.sidecar.testkit.Jobs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** What apps ask their sidecars for: new tasks, repeated as the same request while no answer comes, cancels and postponements. */
final class SoakTasks implements AutoCloseable {

    private static final int TRIES = 4;
    private static final int RECENT = 200;
    private static final int AT_ONCE = 12;

    /** An id, and the queue it belongs to. */
    record Known(String job, String id) {}

    private final List<SoakPod> pods;
    private final History history;
    private final Timeline time;
    private final List<Known> known = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(AT_ONCE);
    private int made;

    SoakTasks(List<SoakPod> pods, History history, Timeline time) {
        this.pods = pods;
        this.history = history;
        this.time = time;
    }

    List<Known> known() {
        return known;
    }

    /** Sends so many tasks, all at once, each by some pod. */
    void enqueue(String job, int count, long seed) {
        RandomGenerator dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < count; i++) {
            String id = job + "-" + made++;
            int delay = dice.nextInt(3) == 0 ? 0 : dice.nextInt(3000);
            int first = dice.nextInt(pods.size());
            boolean twice = dice.nextInt(20) == 0;
            known.add(new Known(job, id));
            execute(() -> {
                enqueue(job, id, delay, first);
                if (twice) {
                    enqueue(job, id, delay, first + 1);
                }
            });
        }
    }

    private void enqueue(String job, String id, int delay, int first) {
        String body = "{\"id\":\"%s\",\"delay\":\"%dms\"}".formatted(id, delay);
        int status = 0;
        long asked = time.micros();
        for (int tries = 0; tries < TRIES; tries++) {
            SoakPod pod = pods.get((first + tries) % pods.size());
            status = pod.call("POST", "/v1/jobs/" + job + "/tasks", body, "request-" + id);
            if (status == 202) {
                history.add(new Event.Promised(time.micros(), Jobs.NAMESPACE + "/" + job, id, asked));
                return;
            }
        }
        history.add(new Event.Unanswered(time.micros(), Jobs.NAMESPACE + "/" + job, id, String.valueOf(status)));
    }

    /** An app does not send without end what is not answered. */
    private void execute(Runnable call) {
        threads.execute(() -> {
            room.acquireUninterruptibly();
            try {
                call.run();
            } finally {
                room.release();
            }
        });
    }

    void cancel(int count, long seed) {
        some(count, seed, (pod, task) -> {
            long asked = time.micros();
            if (pod.call("DELETE", "/v1/jobs/" + task.job() + "/tasks/" + task.id(), "", "") == 204) {
                history.add(new Event.Withdrawn(time.micros(), Jobs.NAMESPACE + "/" + task.job(), task.id(), asked));
            }
        });
    }

    void postpone(int count, long seed) {
        some(
                count,
                seed,
                (pod, task) -> pod.call(
                        "PATCH", "/v1/jobs/" + task.job() + "/tasks/" + task.id(), "{\"delay\":\"700ms\"}", ""));
    }

    private interface Request {
        void send(SoakPod pod, Known task);
    }

    private void some(int count, long seed, Request request) {
        RandomGenerator dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < count && !known.isEmpty(); i++) {
            Known task = known.get(known.size() - 1 - dice.nextInt(Math.min(RECENT, known.size())));
            SoakPod pod = pods.get(dice.nextInt(pods.size()));
            execute(() -> request.send(pod, task));
        }
    }

    /** Waits until all that was asked for has been answered, or given up. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
