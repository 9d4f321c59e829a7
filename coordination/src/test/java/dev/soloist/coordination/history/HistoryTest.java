package dev.soloist.coordination.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

    @Test
    void whatIsWrittenIsReadAgain(@TempDir Path folder) {
        var history = new History();
        history.add(new Event.Granted(1, "shop/report", "a", "n", "1-2", 3, 4));
        history.add(new Event.Adopted(2, "shop/mails", "a", "b", List.of("b", "a")));
        history.add(new Event.End(3, List.of("shop/report"), 500));
        Path file = folder.resolve("history.jsonl");

        History.write(history.events(), file);

        assertThat(History.read(file)).isEqualTo(history.events());
        assertThat(file).content().startsWith("{\"event\":\"Granted\",\"at\":1,\"job\":\"shop/report\"");
    }

    @Test
    void aLineOfMonitorIsTakenApart() {
        var line = MonitorLine.parse(
                "1700000000.000123 [0 lua] \"HSET\" \"soloist:main:{shop/mails/0}:t\" \"a \\\"b\\\"\" \"\\xe2\\x82\\xac\\n\\\\\"");

        assertThat(line.at()).isEqualTo(1_700_000_000_000_123L);
        assertThat(line.byScript()).isTrue();
        assertThat(line.words()).containsExactly("HSET", "soloist:main:{shop/mails/0}:t", "a \"b\"", "€\n\\");
        assertThat(MonitorLine.parse("1.000001 [0 127.0.0.1:6] \"PING\"").byScript())
                .isFalse();
    }
}
