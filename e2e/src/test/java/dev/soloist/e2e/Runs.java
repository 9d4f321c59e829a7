package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold of all runs of one singleton job, as far as the recorder saw them. */
final class Runs {

    private final List<RunRecord> records;

    Runs(List<RunRecord> records) {
        this.records = records;
    }

    int started() {
        return (int) records.stream().filter(RunRecord::isStart).count();
    }

    /** The time from the first moment that was recorded to the last. */
    double seconds() {
        return records.isEmpty()
                ? 0
                : records.getLast().at() - records.getFirst().at();
    }

    /** Runs that ended by themselves. */
    int done() {
        return (int)
                records.stream().filter(record -> record.event().equals("done")).count();
    }

    /** At every moment at most one run is open, and every run's fence is greater than those before it. */
    void assertOneAtATimeWithRisingFences() {
        Map<String, RunRecord> open = new HashMap<>();
        List<String> violations = new ArrayList<>();
        String last = "";
        for (RunRecord record : records) {
            String key = record.pod() + " " + record.run() + " " + record.fence();
            if (record.isStart()) {
                if (!open.isEmpty()) {
                    violations.add("%s began while %s was open".formatted(record, open.values()));
                }
                if (record.fence().compareTo(last) <= 0) {
                    violations.add("%s does not rise above %s".formatted(record, last));
                }
                last = record.fence();
                open.put(key, record);
            } else {
                open.remove(key);
            }
        }
        assertThat(violations).isEmpty();
    }
}
