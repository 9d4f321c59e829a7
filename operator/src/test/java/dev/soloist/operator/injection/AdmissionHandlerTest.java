package dev.soloist.operator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionHandlerTest {

    private final AdmissionHandler handler = new AdmissionHandler(PodPatchTest.SETTINGS);

    @Test
    void aPodThatAsksGetsABase64PatchUnderItsReviewsUid() throws IOException {
        var answer = answer("{\"metadata\":{\"annotations\":{\"soloist.dev/inject\":\"true\",\"soloist.dev/x\":\"\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"app\"}]}}");

        var response = answer.path("response");
        assertThat(response.path("uid").asText()).isEqualTo("r-1");
        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        assertThat(response.path("warnings")).hasSize(1);
        var patch = Json.MAPPER.readTree(
                Base64.getDecoder().decode(response.path("patch").asText()));
        assertThat(patch)
                .allSatisfy(
                        operation -> assertThat(operation.path("op").asText()).isEqualTo("add"));
    }

    @Test
    void aPodThatDoesNotAskIsAllowedWithoutAPatch() throws IOException {
        var response = answer("{\"spec\":{}}").path("response");

        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void aRefusalSaysWhatToChange() throws IOException {
        var response = answer(
                        "{\"metadata\":{\"annotations\":{\"soloist.dev/inject\":\"true\",\"soloist.dev/api-port\":\"x\"}},"
                                + "\"spec\":{\"containers\":[]}}")
                .path("response");

        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/message").asText()).contains("soloist.dev/api-port");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "null", "{\"request\":{\"uid\":1}}", "{\"request\":{\"uid\":\"u\",\"object\":7}}"
            })
    void whatIsNotAReviewOfAPodIsNotAnswered(String body) {
        assertThat(handler.answer(body.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    private JsonNode answer(String pod) throws IOException {
        var review = "{\"request\":{\"uid\":\"r-1\",\"object\":" + pod + "}}";
        return Json.MAPPER.readTree(handler.answer(review.getBytes(StandardCharsets.UTF_8))
                .orElseThrow()
                .body());
    }
}
