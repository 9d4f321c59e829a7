package dev.soloist.e2e.live;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An app that enqueues tasks of every fate, twice a second, as long as the test runs. */
final class Traffic implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    private final AtomicLong number = new AtomicLong();
    private final SidecarProcess sidecar;
    private final String job;

    Traffic(SidecarProcess sidecar, String job) {
        this.sidecar = sidecar;
        this.job = job;
    }

    Traffic start() {
        thread.scheduleWithFixedDelay(this::step, 0, 500, TimeUnit.MILLISECONDS);
        return this;
    }

    /** Enqueues one task through a pod; returns the status of the answer. */
    static int enqueue(SidecarProcess sidecar, String job, String id, Duration delay) throws IOException {
        return post(sidecar, job + "/tasks", "{\"id\": \"%s\", \"delay\": \"%dms\"}".formatted(id, delay.toMillis()));
    }

    /** Sends JSON to a path below the jobs of a pod's API; returns the status of the answer. */
    static int post(SidecarProcess sidecar, String path, String body) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(sidecar.api() + "/v1/jobs/" + path))
                .timeout(Duration.ofSeconds(5))
                .headers("Authorization", "Bearer " + sidecar.token(), "Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, BodyHandlers.discarding()).statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private void step() {
        long n = number.incrementAndGet();
        // Some are overdue by then, some wait: every depth has something to show.
        var delays = Map.of("ok", 100, "again", 200, "never", 100, "busy", 300, "later", 600_000);
        delays.forEach((fate, millis) -> {
            try {
                enqueue(sidecar, job, fate + "-" + n, Duration.ofMillis(millis));
                enqueue(sidecar, job, fate + "-" + n, Duration.ofMillis(millis));
            } catch (IOException | RuntimeException storeIsAway) {
                // The test takes Redis away for a while; the next step tries again.
                number.decrementAndGet();
            }
        });
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
