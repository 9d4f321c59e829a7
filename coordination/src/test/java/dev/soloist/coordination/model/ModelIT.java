package dev.soloist.coordination.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The models of the protocol, searched exhaustively, and again with one rule broken at a time. */
@Tag("model")
class ModelIT {

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void everyPropertyHoldsAndEveryBrokenRuleIsFound() throws IOException, InterruptedException {
        Process model = new ProcessBuilder("../.make/model")
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        List<String> said;
        try (var lines = model.inputReader()) {
            said = lines.lines().toList();
        }
        assertThat(model.waitFor())
                .as("%s, see %s", said, Path.of("target/model"))
                .isZero();
        assertThat(said).noneMatch(line -> line.startsWith("FAILS"));
        assertThat(said.getLast()).matches("model: \\d+ properties hold, \\d+ states");
        assertThat(said)
                .filteredOn(line -> line.startsWith("broken variants found"))
                .singleElement()
                .matches(line -> {
                    var numbers = line.replaceAll("\\D+", " ").strip().split(" ");
                    return numbers.length == 2 && numbers[0].equals(numbers[1]) && Integer.parseInt(numbers[0]) >= 5;
                });
    }
}
