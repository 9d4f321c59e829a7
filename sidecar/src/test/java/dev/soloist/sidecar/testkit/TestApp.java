package dev.soloist.sidecar.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A small real app on localhost: remembers every call, and answers as the test says. */
public final class TestApp implements AutoCloseable {

    /** One call as the app saw it; the end is set when the answer was sent. */
    public static final class Call {
        public final Headers headers;
        public final String body;
        public final long startNanos = System.nanoTime();
        /** The same moment by {@link OwnTime}. */
        public final long ownStart = OwnTime.nanos();

        public volatile long endNanos;
        /** The same moment by {@link OwnTime}. */
        public volatile long ownEnd;

        final CountDownLatch cancelled = new CountDownLatch(1);

        Call(Headers headers, String body) {
            this.headers = headers;
            this.body = body;
        }

        public String header(String name) {
            return String.valueOf(headers.getFirst(name));
        }
    }

    /** What to answer; may block as work does. */
    @FunctionalInterface
    public interface Work {
        int answer(Call call) throws InterruptedException;
    }

    /** Work that goes on until the test opens the gate or the sidecar cancels it: 200 or 500. */
    public static Work until(CountDownLatch gate) {
        return call -> {
            while (gate.getCount() > 0 && call.cancelled.getCount() > 0) {
                if (call.cancelled.await(5, TimeUnit.MILLISECONDS)) {
                    return 500;
                }
            }
            return 200;
        };
    }

    /** Work that takes so long, unless it is cancelled: 200 or 500. */
    public static Work taking(Duration time) {
        return call -> call.cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS) ? 500 : 200;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final List<String> cancels = new CopyOnWriteArrayList<>();
    private final Map<String, Call> byId = new ConcurrentHashMap<>();
    private final Map<String, String> responseHeaders = new ConcurrentHashMap<>();
    private volatile Work work = call -> 200;
    private volatile int cancelStatus = 204;

    /** On a port that no outgoing connection takes when the app is away for a while. */
    public TestApp() {
        this(RedisProcess.freePort());
    }

    public TestApp(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public TestApp does(Work what) {
        work = what;
        return this;
    }

    /** As {@link #does}, for tasks whose id begins so. */
    public TestApp doesAt(String idPrefix, Work what) {
        var others = work;
        return does(call -> call.header("Soloist-Task").startsWith(idPrefix) ? what.answer(call) : others.answer(call));
    }

    /** What DELETE is answered with. */
    public TestApp answersCancelWith(int status) {
        cancelStatus = status;
        return this;
    }

    public TestApp withHeader(String name, String value) {
        responseHeaders.put(name, value);
        return this;
    }

    public List<Call> calls() {
        return calls;
    }

    /** Calls for one job, in the order in which they came. */
    public List<Call> calls(String job) {
        return calls.stream()
                .filter(call -> call.header("Soloist-Job").equals(job))
                .toList();
    }

    /** How many calls for one job the app was at work on at a time, at most. */
    public long mostAtOnce(String job) {
        var all = calls(job);
        return all.stream()
                .mapToLong(one -> all.stream()
                        .filter(other -> other.startNanos <= one.startNanos
                                && (other.endNanos == 0 || other.endNanos > one.startNanos))
                        .count())
                .max()
                .orElse(0);
    }

    /** Queries of the DELETE calls. */
    public List<String> cancels() {
        return cancels;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("DELETE")) {
                var query = exchange.getRequestURI().getQuery();
                cancels.add(query);
                var call = byId.get(query.substring(query.indexOf('=') + 1));
                if (call != null && cancelStatus / 100 == 2) {
                    call.cancelled.countDown();
                }
                exchange.sendResponseHeaders(cancelStatus, -1);
                return;
            }
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var call = new Call(exchange.getRequestHeaders(), body);
            byId.put(call.header("Soloist-Run"), call);
            byId.put(call.header("Soloist-Task"), call);
            calls.add(call);
            int status;
            try {
                status = work.answer(call);
            } catch (InterruptedException killed) {
                return;
            } finally {
                call.ownEnd = OwnTime.nanos();
                call.endNanos = System.nanoTime();
            }
            responseHeaders.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /** Ends at once, as a killed process: open connections break. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
