package dev.soloist.operator.injection;

import static dev.soloist.operator.injection.Json.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// An AdmissionReview in, an AdmissionReview out. Stateless and thread-safe.
public final class AdmissionHandler {

    /// The answer to one review.
    ///
    /// @param result bounded word for the metric: injected, unchanged, skipped or refused
    /// @param body the AdmissionReview to send back
    public record Answer(String result, String body) {}

    private final InjectionSettings settings;

    public AdmissionHandler(InjectionSettings settings) {
        this.settings = settings;
    }

    /// Answers a review, or nothing if the text is not an AdmissionReview with a pod in it.
    public Optional<Answer> answer(byte[] body) {
        JsonNode review;
        try {
            review = Json.MAPPER.readTree(body);
        } catch (IOException malformed) {
            return Optional.empty();
        }
        var request = review.path("request");
        var pod = request.path("object");
        if (!request.path("uid").isTextual() || !pod.path("spec").isObject()) {
            return Optional.empty();
        }
        var response = object("uid", request.path("uid").asText());
        var result = decide(new PodView(pod), response);
        var answer = object("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        return Optional.of(new Answer(result, text(answer.set("response", response))));
    }

    private String decide(PodView pod, ObjectNode response) {
        return switch (InjectionDecision.of(pod, settings)) {
            case InjectionDecision.Inject(var options, var warnings) -> {
                var patch = PodPatch.inject(pod, options, settings);
                allow(response, patch, warnings);
                yield patch.isEmpty() ? "unchanged" : "injected";
            }
            case InjectionDecision.Skip(var reason) -> {
                allow(
                        response,
                        reason.label().map(label -> PodPatch.label(pod, label)).orElseGet(Json::array),
                        List.of());
                yield "skipped";
            }
            case InjectionDecision.Refuse(var sentences) -> {
                response.put("allowed", false)
                        .set(
                                "status",
                                object("message", String.join("; ", sentences))
                                        .put("reason", "Invalid")
                                        .put("code", 422));
                yield "refused";
            }
        };
    }

    private static void allow(ObjectNode response, ArrayNode patch, List<String> warnings) {
        response.put("allowed", true);
        if (!patch.isEmpty()) {
            response.put("patchType", "JSONPatch")
                    .put("patch", Base64.getEncoder().encodeToString(text(patch).getBytes(StandardCharsets.UTF_8)));
        }
        if (!warnings.isEmpty()) {
            response.set("warnings", Json.MAPPER.valueToTree(warnings));
        }
    }

    private static String text(JsonNode json) {
        try {
            return Json.MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a JSON tree is always writable", impossible);
        }
    }
}
