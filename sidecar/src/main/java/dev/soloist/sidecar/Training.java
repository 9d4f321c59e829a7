package dev.soloist.sidecar;

import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.settings.SidecarSettings;
import dev.soloist.sidecar.trigger.AppCall;
import dev.soloist.sidecar.trigger.AppRequest;
import dev.soloist.sidecar.trigger.AppResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;

/**
 * A short life without a store, to fill the AOT cache of the image: starts everything, calls its own API and metrics, ends in order.
 * Fails when an answer is not the expected one, so that an image is never built from a broken sidecar.
 */
final class Training {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ROUNDS = 20;

    private Training() {}

    static void run() throws IOException {
        LogLevel.set("WARN");
        var directory = Files.createTempDirectory("soloist-training");
        Files.writeString(directory.resolve(StoreFile.ADDRESS.fileName()), "127.0.0.1:1");
        var defaults = SidecarEnvironment.defaults("training");
        var environment = new SidecarEnvironment(
                defaults.install(),
                0,
                "127.0.0.1",
                0,
                directory.toString(),
                directory.resolve("token").toString(),
                defaults.graceSeconds(),
                defaults.logLevel());
        var settings = new SidecarSettings(environment, "training", "training", "training", "training");
        var sidecar = new Sidecar(settings, Pace.DEFAULT).start();
        for (int i = 0; i < ROUNDS; i++) {
            expect(401, call("GET", sidecar.apiPort(), "/v1/jobs/x", "none", ""));
            expect(200, call("GET", sidecar.apiPort(), "/v1/openapi.yaml", sidecar.authorization(), ""));
            expect(
                    503,
                    call("POST", sidecar.apiPort(), "/v1/jobs/x/tasks", sidecar.authorization(), "{\"delay\":\"1s\"}"));
            expect(200, call("GET", sidecar.metricsPort(), "/metrics", "none", ""));
            expect(200, call("GET", sidecar.metricsPort(), "/readyz", "none", ""));
        }
        sidecar.stop(Duration.ofSeconds(5));
    }

    private static AppResponse call(String method, int port, String path, String authorization, String body) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        var headers = Map.of("Authorization", authorization);
        return new AppCall(new AppRequest(method, port, path, headers, Payload.of(bytes, "application/json"), TIMEOUT))
                .execute();
    }

    private static void expect(int status, AppResponse response) {
        if (!(response instanceof AppResponse.Answered(int got, var _, var _)) || got != status) {
            throw new IllegalStateException("expected " + status + ", got " + response);
        }
    }
}
