import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** An app that says it is ready and never answers when it is given work. */
final class Silent {
    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/healthz", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.createContext("/enqueue", exchange -> {
            var due = "{\"id\":\"never\",\"dueAt\":\"2026-01-01T00:00:00.000Z\"}".getBytes();
            exchange.sendResponseHeaders(202, due.length);
            exchange.getResponseBody().write(due);
            exchange.close();
        });
        server.createContext("/", exchange -> {});
        server.start();
    }
}
