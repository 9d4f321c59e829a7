package dev.soloist.sidecar.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetersTest {

    private static final Pattern DOCUMENTED = Pattern.compile("^\\| `(soloist_\\w+)` \\| (\\w+)", Pattern.MULTILINE);

    @Test
    void theReadmeListsTheMetersOfAJobAsTheyAreExported() throws IOException {
        var meters = new Meters();
        meters.job("r").ofSingleton();
        meters.job("d").ofDelayed();
        var scrape = meters.scrape("text/plain; version=0.0.4");
        var readme = new TreeSet<String>();
        DOCUMENTED.matcher(Files.readString(Path.of("README.md"))).results().forEach(row -> readme.add(row.group(1)));

        var exported = new TreeSet<String>();
        Pattern.compile("^# TYPE (soloist_\\w+?)(_max)? ", Pattern.MULTILINE)
                .matcher(scrape)
                .results()
                .filter(row -> row.group(2) == null)
                .forEach(row -> exported.add(row.group(1)));

        assertThat(readme).isNotEmpty().containsAll(exported);
    }

    @Test
    void m01_metersGoWithTheirJob() {
        var meters = new Meters();
        var before = meters.scrape("text/plain; version=0.0.4").lines().count();
        for (int i = 0; i < 50; i++) {
            meters.job("r" + i).ofSingleton().runEnded("succeeded", Duration.ofSeconds(1));
            meters.job("d" + i).ofDelayed().enqueued("created");
        }

        for (int i = 0; i < 50; i++) {
            meters.forget("r" + i);
            meters.forget("d" + i);
        }

        assertThat(meters.scrape("text/plain; version=0.0.4").lines().count()).isEqualTo(before);
    }

    @Test
    void theServerSpeaksBothFormatsAndRefusesEverythingElse() throws Exception {
        var health = new Health() {
            boolean ready = true;

            @Override
            public boolean started() {
                return true;
            }

            @Override
            public boolean ready() {
                return ready;
            }
        };
        try (var server = new MetricsServer("127.0.0.1", 0, new Meters(), health);
                var http = HttpClient.newHttpClient()) {
            var base = "http://127.0.0.1:" + server.port();
            var open = send(
                    http,
                    HttpRequest.newBuilder(URI.create(base + "/metrics"))
                            .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"));
            assertThat(open.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("application/openmetrics-text");
            assertThat(open.body()).endsWith("# EOF\n");
            var text = send(http, HttpRequest.newBuilder(URI.create(base + "/metrics")));
            assertThat(text.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain; version=0.0.4");

            assertThat(send(http, HttpRequest.newBuilder(URI.create(base + "/readyz")))
                            .statusCode())
                    .isEqualTo(200);
            health.ready = false;
            assertThat(send(http, HttpRequest.newBuilder(URI.create(base + "/readyz")))
                            .statusCode())
                    .isEqualTo(503);
            assertThat(send(http, HttpRequest.newBuilder(URI.create(base + "/livez")))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(send(http, HttpRequest.newBuilder(URI.create(base + "/drain")))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(send(
                                    http,
                                    HttpRequest.newBuilder(URI.create(base + "/metrics"))
                                            .DELETE())
                            .statusCode())
                    .isEqualTo(405);
        }
    }

    private static HttpResponse<String> send(HttpClient http, HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
