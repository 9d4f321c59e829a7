package dev.soloist.e2e.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A real Prometheus that scrapes every second. */
final class PrometheusServer implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ChildProcess process;
    private final String url;

    private PrometheusServer(ChildProcess process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts it with the given scrape configurations, in YAML or JSON. */
    static PrometheusServer start(Path folder, JsonNode scrapeConfigs) throws IOException {
        var config = MAPPER.createObjectNode();
        config.putObject("global").put("scrape_interval", "1s").put("scrape_timeout", "1s");
        config.set("scrape_configs", scrapeConfigs);
        var file = folder.resolve("prometheus.yml");
        Files.writeString(file, config.toPrettyString());
        var url = "http://127.0.0.1:" + RedisProcess.freePort();
        var process = ChildProcess.start(
                "prometheus",
                folder,
                Map.of(),
                List.of(
                        PrometheusBinary.server().toString(),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=" + url.substring("http://".length())));
        return new PrometheusServer(process.awaitOk(url + "/-/ready"), url);
    }

    /** The answer to an instant query: the elements of the result. */
    JsonNode query(String expression) {
        return get("/api/v1/query?query=" + encode(expression)).path("result");
    }

    /** The targets that it scrapes now. */
    JsonNode activeTargets() {
        return get("/api/v1/targets?state=active").path("activeTargets");
    }

    /** The end of its log. */
    String logTail() {
        return process.logTail();
    }

    private JsonNode get(String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            var response = HTTP.send(request, BodyHandlers.ofString());
            var body = MAPPER.readTree(response.body());
            if (response.statusCode() != 200) {
                throw new IllegalArgumentException(body.path("error").asText());
            }
            return body.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.close();
    }
}
