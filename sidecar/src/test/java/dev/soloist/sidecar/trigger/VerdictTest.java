package dev.soloist.sidecar.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.sidecar.trigger.Verdict.Retrying;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void anyTwoHundredIsDone() {
        assertThat(of(200)).isEqualTo(new Verdict.Done());
        assertThat(of(204)).isEqualTo(new Verdict.Done());
    }

    @Test
    void busyAppsGiveTheWorkBackAndAreHeardWithinReason() {
        assertThat(of(503)).isEqualTo(new Verdict.GivenBack(Duration.ofSeconds(1)));
        assertThat(of(429, "retry-after", "7")).isEqualTo(new Verdict.GivenBack(Duration.ofSeconds(7)));
        assertThat(of(429, "retry-after", "-7")).isEqualTo(new Verdict.GivenBack(Duration.ofSeconds(1)));
        assertThat(of(429, "retry-after", "999999")).isEqualTo(new Verdict.GivenBack(Verdict.MAX_RETRY_AFTER));
        assertThat(of(503, "retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"))
                .isEqualTo(new Verdict.GivenBack(Duration.ofSeconds(1)));
    }

    @Test
    void onlyAFourHundredCanForbidAnotherAttempt() {
        assertThat(of(400, "soloist-no-retry", "true")).isEqualTo(new Verdict.Failed("HTTP 400", Retrying.FORBIDDEN));
        assertThat(of(400, "soloist-no-retry", "false")).isEqualTo(new Verdict.Failed("HTTP 400", Retrying.ALLOWED));
        assertThat(of(400)).isEqualTo(new Verdict.Failed("HTTP 400", Retrying.ALLOWED));
        assertThat(of(500, "soloist-no-retry", "true")).isEqualTo(new Verdict.Failed("HTTP 500", Retrying.ALLOWED));
        assertThat(of(302)).isEqualTo(new Verdict.Failed("HTTP 302", Retrying.ALLOWED));
    }

    @Test
    void whetherTheAppIsStillAtWorkIsClearOnlyWhenItAnsweredOrDoesNotListen() {
        assertThat(Verdict.of(new AppResponse.Refused())).isEqualTo(new Verdict.AppAbsent());
        assertThat(Verdict.of(new AppResponse.Broken("reset"))).isInstanceOf(Verdict.Unclear.class);
        assertThat(Verdict.of(new AppResponse.TimedOut())).isInstanceOf(Verdict.Unclear.class);
        assertThat(Verdict.of(new AppResponse.Aborted())).isInstanceOf(Verdict.Unclear.class);
    }

    @Test
    void theBeginningOfTheBodyIsTheMessageOnOneLine() {
        assertThat(Verdict.of(new AppResponse.Answered(500, Map.of(), "no\r\ndisk ")))
                .isEqualTo(new Verdict.Failed("HTTP 500: no disk", Retrying.ALLOWED));
    }

    private static Verdict of(int status, String... header) {
        return Verdict.of(
                new AppResponse.Answered(status, header.length == 0 ? Map.of() : Map.of(header[0], header[1]), ""));
    }
}
