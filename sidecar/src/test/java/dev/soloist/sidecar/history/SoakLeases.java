package dev.soloist.sidecar.history;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.sidecar.json.GoDuration;
import dev.soloist.sidecar.testkit.Jobs;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the apps of all pods do with one lease: each asks for it again and again, renews it some times, believes the answers as
 * long as they say, and gives it back or lets it end.
 */
final class SoakLeases implements AutoCloseable {

    private static final String PATH = "/v1/leases/export";
    private static final String JOB = Jobs.NAMESPACE + "/app/export";
    private static final Pattern FENCE = Pattern.compile("\"fence\":\"([^\"]+)\"");
    private static final Pattern USABLE = Pattern.compile("\"usableFor\":\"([^\"]+)\"");

    private final List<SoakPod> pods;
    private final History history;
    private final Timeline time;
    private final CountDownLatch end = new CountDownLatch(1);
    private List<Thread> apps = List.of();

    SoakLeases(List<SoakPod> pods, History history, Timeline time) {
        this.pods = pods;
        this.history = history;
        this.time = time;
    }

    void start() {
        apps = pods.stream()
                .map(pod -> Thread.ofVirtual().name("lease-" + pod.uid).start(() -> app(pod)))
                .toList();
    }

    private void app(SoakPod pod) {
        for (int turn = 0; !waits(100 + 30 * (turn % 5)); turn++) {
            long sent = System.nanoTime();
            var answer = pod.answer("POST", PATH, "{\"ttl\":\"2s\"}", List.of("Idempotency-Key", pod.uid + "-" + turn));
            var fence = read(answer, FENCE);
            if (fence.isPresent()) {
                hold(pod, fence.get(), sent, usable(answer), turn);
            }
        }
    }

    private void hold(SoakPod pod, String fence, long asked, long usable, int turn) {
        long from = System.nanoTime();
        long lost = history.count(Event.DataLost.class);
        long until = asked + usable;
        for (int renewals = 0; renewals < turn % 6 && !waits(300); renewals++) {
            long sent = System.nanoTime();
            var answer = pod.answer("PUT", PATH, "", List.of("Soloist-Fence", fence));
            if (answer.isPresent() && answer.get().statusCode() == 409) {
                until = Math.min(until, System.nanoTime());
                break;
            }
            if (read(answer, FENCE).isPresent() && System.nanoTime() - until < 0) {
                until = sent + usable(answer);
            }
        }
        boolean givesBack = turn % 3 > 0;
        if (givesBack) {
            until = Math.min(until, System.nanoTime());
        }
        // Who held it while data were lost is no valid holder any more, and learns so by its next renewal.
        if (until - from > 0 && history.count(Event.DataLost.class) == lost) {
            history.add(new Event.Believed(time.micros(), JOB, pod.uid, fence, from, until));
        }
        if (givesBack) {
            pod.answer("DELETE", PATH, "", List.of("Soloist-Fence", fence));
        }
    }

    private boolean waits(long millis) {
        try {
            return end.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static long usable(Optional<HttpResponse<String>> answer) {
        return read(answer, USABLE).flatMap(GoDuration::parse).orElseThrow().toNanos();
    }

    private static Optional<String> read(Optional<HttpResponse<String>> answer, Pattern member) {
        return answer.filter(is -> is.statusCode() / 100 == 2).stream()
                .flatMap(is -> Stream.of(member.matcher(is.body())))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
    }

    /** No app asks any more, and what they hold ends. */
    @Override
    public void close() {
        end.countDown();
        for (var app : apps) {
            try {
                app.join(Duration.ofSeconds(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
