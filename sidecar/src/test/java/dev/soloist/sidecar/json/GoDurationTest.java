package dev.soloist.sidecar.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0s, PT0S",
        "30s, PT30S",
        "1h30m, PT1H30M",
        "1.5s, PT1.5S",
        "250ms, PT0.25S",
        "7us, PT0.000007S",
        "7µs, PT0.000007S",
        "3ns, PT0.000000003S",
        "100h, PT100H",
        "1m1m, PT2M"
    })
    void whatGoWritesIsRead(String text, Duration expected) {
        assertThat(GoDuration.parse(text)).hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "-1s",
                "+1s",
                "1d",
                "s",
                "1 s",
                "1.s",
                ".5s",
                "1e3s",
                "0x1s",
                "1s ",
                "9999999999999999h"
            })
    void anythingElseIsNot(String text) {
        assertThat(GoDuration.parse(text)).isEmpty();
    }

    @Test
    void instantsAreWrittenWithMillisecondsInUtcAndReadWithAnyOffset() {
        var instant = Rfc3339.parse("2026-01-31T08:00:00.1239+07:00").orElseThrow();

        assertThat(Rfc3339.write(instant)).isEqualTo("2026-01-31T01:00:00.123Z");
        assertThat(Rfc3339.parse("2026-01-31t08:00:00z")).isPresent();
        assertThat(Rfc3339.parse("2026-01-31 08:00:00Z")).isEmpty();
        assertThat(Rfc3339.parse("2026-02-30T08:00:00Z")).isEmpty();
        assertThat(Rfc3339.parse("2026-01-31T08:00Z")).isEmpty();
    }
}
