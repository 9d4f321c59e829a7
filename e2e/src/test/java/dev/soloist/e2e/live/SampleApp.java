package dev.soloist.e2e.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * The app of all pods. Its path decides the answer of a run; the first word of a task's id that of a task: {@code ok}, {@code again}
 * (500), {@code never} (400 with {@code Soloist-No-Retry}).
 */
final class SampleApp implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Semaphore> begun = Map.of("/lasts", new Semaphore(0), "/doomed", new Semaphore(0));
    private final CountDownLatch end = new CountDownLatch(1);

    SampleApp() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** A permit for each run of the path that has begun and goes on until this app ends. */
    Semaphore begun(String path) {
        return Objects.requireNonNull(begun.get(path));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status(exchange), -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int status(HttpExchange exchange) throws InterruptedException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            return 204;
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/works" -> 204;
            case "/fails" -> 500;
            case "/lasts", "/doomed" -> {
                begun(exchange.getRequestURI().getPath()).release();
                end.await();
                yield 204;
            }
            case "/tasks" -> taskStatus(exchange);
            case null, default -> 404;
        };
    }

    private static int taskStatus(HttpExchange exchange) {
        var task = String.valueOf(exchange.getRequestHeaders().getFirst("Soloist-Task"));
        if (task.startsWith("ok")) {
            return 204;
        }
        if (task.startsWith("never")) {
            exchange.getResponseHeaders().set("Soloist-No-Retry", "true");
            return 400;
        }
        return task.startsWith("busy") ? 503 : 500;
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.close();
    }
}
