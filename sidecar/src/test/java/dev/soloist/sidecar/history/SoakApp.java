package dev.soloist.sidecar.history;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Jobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The app of one pod: works, is slow, fails, hangs or dies, and notes when each piece of work began and ended. Thread-safe. */
final class SoakApp implements AutoCloseable {

    /** How it behaves. */
    enum Mood {
        WELL,
        SLOW,
        FAILING,
        HANGING
    }

    private record Work(CountDownLatch cancel, CountDownLatch ended) {}

    private static final int LONGEST_MILLIS = 8000;

    private final String pod;
    private final History history;
    private final Timeline time;
    private final int port;
    private final Map<String, Work> atWork = new ConcurrentHashMap<>();
    private volatile Mood mood = Mood.WELL;
    private HttpServer server;
    private ExecutorService threads;

    SoakApp(String pod, History history, Timeline time) {
        this.pod = pod;
        this.history = history;
        this.time = time;
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
        // One that no outgoing connection takes while the app is away.
        this.port = RedisProcess.freePort();
        this.server = listen(port);
    }

    int port() {
        return port;
    }

    void mood(Mood now) {
        mood = now;
    }

    /** Ends at once, as a killed process; what it worked at ends with it. */
    synchronized void die() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Starts again, on the same port. */
    synchronized void live() {
        die();
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server = listen(port);
    }

    private HttpServer listen(int where) {
        try {
            var made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), where), 0);
            made.setExecutor(threads);
            made.createContext("/", this::handle);
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("DELETE")) {
                String query = exchange.getRequestURI().getQuery();
                Work work = atWork.get(query.substring(query.indexOf('=') + 1));
                exchange.sendResponseHeaders(work == null || stopped(work) ? 204 : 500, -1);
                return;
            }
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(work(exchange), -1);
        }
    }

    /** An acknowledged cancel means that the work has stopped. */
    private static boolean stopped(Work work) {
        work.cancel().countDown();
        try {
            return work.ended().await(2, TimeUnit.SECONDS);
        } catch (InterruptedException died) {
            return false;
        }
    }

    private int work(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        String job = Jobs.NAMESPACE + "/" + headers.getFirst("Soloist-Job");
        String run = headers.getFirst("Soloist-Run");
        String work = run == null ? headers.getFirst("Soloist-Task") : run;
        String fence = run == null ? "" : headers.getFirst("Soloist-Fence");
        int attempt = Integer.parseInt(headers.getFirst("Soloist-Attempt"));
        Mood now = mood;
        var open = new Work(new CountDownLatch(1), new CountDownLatch(1));
        atWork.put(work, open);
        history.add(new Event.AppStarted(time.micros(), job, pod, work, fence, attempt));
        String how = "died";
        try {
            if (open.cancel().await(duration(now, work), TimeUnit.MILLISECONDS)) {
                how = "cancelled";
            } else {
                how = now == Mood.FAILING ? "failed" : "done";
            }
            return how.equals("done") ? 200 : 500;
        } catch (InterruptedException killed) {
            return 500;
        } finally {
            history.add(new Event.AppEnded(time.micros(), job, pod, work, attempt, how));
            atWork.remove(work, open);
            open.ended().countDown();
        }
    }

    private static int duration(Mood mood, String work) {
        int dice = Math.floorMod(work.hashCode(), 100);
        return switch (mood) {
            case WELL -> dice;
            case SLOW -> 1000 + 80 * dice;
            case FAILING -> dice / 5;
            case HANGING -> LONGEST_MILLIS;
        };
    }

    @Override
    public void close() {
        die();
    }
}
