package dev.soloist.coordination.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {

    private static Instant at(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 2 * * *    | Asia/Ho_Chi_Minh  | 2026-05-01T00:00:00Z      | 2026-05-01T19:00:00Z",
                "*/5 * * * *  | Etc/UTC           | 2026-05-01T00:00:00Z      | 2026-05-01T00:05:00Z",
                "30 2 * * *   | America/New_York  | 2027-03-13T12:00:00-05:00 | 2027-03-14T03:00:00-04:00",
                "30 2 * * *   | America/New_York  | 2027-03-14T03:00:00-04:00 | 2027-03-15T02:30:00-04:00",
                "30 1 * * *   | America/New_York  | 2027-11-06T12:00:00-04:00 | 2027-11-07T01:30:00-04:00",
                "30 1 * * *   | America/New_York  | 2027-11-07T01:30:00-04:00 | 2027-11-08T01:30:00-05:00",
                "15 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00:00Z    | 2026-10-04T02:30:00+11:00",
                "0 0 1 1 *    | Etc/UTC           | 2026-05-01T00:00:00Z      | 2027-01-01T00:00:00Z"
            })
    void theNextSlotIsTheNextOneOnTheWallClock(String expression, String zone, String after, String expected) {
        assertThat(Cron.of(expression, zone).first(at(after))).isEqualTo(at(expected));
    }

    @Test
    void aWildcardHourRunsInBothPassesOfARepeatedHour() {
        var cron = Cron.of("*/30 * * * *", "America/New_York");
        List<Instant> slots = new ArrayList<>();
        Instant slot = at("2027-11-07T00:45:00-04:00");
        for (int i = 0; i < 6; i++) {
            slot = cron.next(slot, slot);
            slots.add(slot);
        }
        assertThat(slots)
                .containsExactly(
                        at("2027-11-07T01:00:00-04:00"),
                        at("2027-11-07T01:30:00-04:00"),
                        at("2027-11-07T01:00:00-05:00"),
                        at("2027-11-07T01:30:00-05:00"),
                        at("2027-11-07T02:00:00-05:00"),
                        at("2027-11-07T02:30:00-05:00"));
    }

    @Test
    void c01_thousandsOfMissedSlotsArePassedOverWithoutBeingWalked() {
        var cron = Cron.of("* * * * *", "Etc/UTC");

        Instant next = cron.next(at("2020-01-01T00:00:00Z"), at("2026-05-01T00:00:30Z"));

        assertThat(next).isEqualTo(at("2026-05-01T00:01:00Z"));
    }

    @Test
    void everyIsAnchoredOnItsSlots() {
        var every = new Every(java.time.Duration.ofSeconds(10));

        assertThat(every.next(at("2026-05-01T00:00:00Z"), at("2026-05-01T00:00:03Z")))
                .isEqualTo(at("2026-05-01T00:00:10Z"));
        assertThat(every.next(at("2026-05-01T00:00:00Z"), at("2026-05-01T00:00:10Z")))
                .isEqualTo(at("2026-05-01T00:00:20Z"));
        assertThat(every.next(at("2026-05-01T00:00:00Z"), at("2026-04-30T23:59:50Z")))
                .isEqualTo(at("2026-05-01T00:00:10Z"));
        assertThat(every.next(at("2020-05-01T00:00:00Z"), at("2026-05-01T00:00:03Z")))
                .isEqualTo(at("2026-05-01T00:00:10Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"super cron today", "* * * *", "", "61 * * * *", "* * * * 8", "0 0 30 2 *", "@daily", "a b c d e"
            })
    void v01_nonsenseIsRefusedWithASentence(String expression) {
        assertThatThrownBy(() -> Cron.of(expression, "Etc/UTC"))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining("schedule.cron");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TZ=Asia/Ho_Chi_Minh 0 9 * * *", "CRON_TZ=Asia/Ho_Chi_Minh 0 9 * * *"})
    void v03_aZoneInsideTheExpressionPointsToTimeZone(String expression) {
        assertThatThrownBy(() -> Cron.of(expression, "Etc/UTC")).hasMessageContaining("schedule.timeZone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mars/Base", "local", "+07:00", ""})
    void v04_anUnknownZoneIsRefused(String zone) {
        assertThatThrownBy(() -> Cron.of("0 9 * * *", zone))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining("schedule.timeZone");
    }

    @Test
    void v04_singaporeIsKnown() {
        assertThat(Cron.of("0 9 * * *", "Asia/Singapore").first(at("2026-05-01T00:00:00Z")))
                .isEqualTo(at("2026-05-01T01:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"every 30000", "cron Europe/Berlin */5 2-4 * * mon-fri"})
    void aScheduleIsReadBackAsItWasWritten(String text) {
        assertThat(Schedule.parse(text).text()).isEqualTo(text);
        assertThat(Schedule.parse(text)).isEqualTo(Schedule.parse(text));
    }
}
