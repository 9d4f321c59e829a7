package dev.soloist.operator.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The calls that a kubelet and a reader of the examples would make. Thread-safe.
final class Probes implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /// Whether app and sidecar both say that they are ready.
    boolean ready(LocalPod pod) {
        return answers(pod.app("/healthz")) && answers(pod.probe("/startupz"));
    }

    /// Hands a task to the app, which hands it to its sidecar.
    ///
    /// @return empty if it cannot be accepted now
    /// @throws IOException if it is refused; the message says why
    Optional<AcceptedTask> enqueue(LocalPod pod, String job, String id, Duration delay)
            throws IOException, InterruptedException {
        var target = pod.app("/enqueue?job=" + job + "&id=" + id + "&delay=" + delay.toMillis() + "ms");
        var request = HttpRequest.newBuilder(target)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() == 503) {
            return Optional.empty();
        }
        if (response.statusCode() != 202) {
            throw new IOException(
                    "status " + response.statusCode() + ": " + response.body().strip());
        }
        JsonNode answer = MAPPER.readTree(response.body());
        var due = Instant.parse(answer.path("dueAt").asText());
        return Optional.of(new AcceptedTask(job, answer.path("id").asText(), due, pod.name()));
    }

    private boolean answers(URI target) {
        try {
            var request = HttpRequest.newBuilder(target)
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
