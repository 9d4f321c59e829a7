package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({
        "30s, PT30S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "1.5h, PT1H30M",
        "0.001s, PT0.001S",
        "1h1m1.5s1ms, PT1H1M1.501S",
        "007s, PT7S",
        "99999h, PT99999H",
        "250ms, PT0.25S"
    })
    void readsWhatGoWrites(String text, Duration duration) {
        assertThat(GoDuration.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "0s", "0", "-5s", "+5s", "1d", "30", "s", "30S", "PT30S", "5m1h", "1.5ms", "1.s", ".5s", "30s ",
                "30s\n", "1us", "100000h"
            })
    void refusesEverythingElse(String text) {
        assertThat(GoDuration.isPositive(text)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GoDuration.parse(text))
                .withMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({"PT37S, 37s", "PT1M30S, 1m30s", "PT1H, 1h", "PT25H0.5S, 25h500ms", "PT0S, 0s", "PT0.0004S, 0s"})
    void writesTheShortestForm(Duration duration, String text) {
        assertThat(GoDuration.format(duration)).isEqualTo(text);
    }

    @Test
    void readsBackWhatItWrites() {
        for (var millis = 1L; millis < Duration.ofHours(100).toMillis(); millis = millis * 3 + 1) {
            var duration = Duration.ofMillis(millis);
            assertThat(GoDuration.parse(GoDuration.format(duration))).isEqualTo(duration);
        }
    }
}
