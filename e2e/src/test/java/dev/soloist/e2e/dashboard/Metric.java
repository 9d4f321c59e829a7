package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A metric as a README lists it.
 *
 * @param module folder whose README it is
 * @param type counter, gauge or histogram
 */
public record Metric(String module, String name, String type, Set<String> labels) {

    /** The labels that a scrape adds: pod and container from discovery, {@code job} and {@code instance} from the target. */
    static final Set<String> OF_THE_SCRAPE = Set.of("namespace", "pod", "container", "endpoint", "job", "instance");

    private static final Pattern LINE =
            Pattern.compile("^\\| `(soloist_[a-z_]+)` \\| ([a-z]+)[^|]* \\| ([^|]*)\\| .*\\|$", Pattern.MULTILINE);

    /** All that both READMEs list, by name. */
    public static Map<String, Metric> all() {
        Map<String, Metric> metrics = new TreeMap<>();
        for (var module : List.of("sidecar", "operator")) {
            var lines = LINE.matcher(read(Path.of("..", module, "README.md")));
            while (lines.find()) {
                metrics.put(lines.group(1), new Metric(module, lines.group(1), lines.group(2), labels(lines.group(3))));
            }
        }
        return metrics;
    }

    /** Names of the series it has in Prometheus. */
    public Set<String> series() {
        return type.equals("histogram") ? Set.of(name + "_bucket", name + "_count", name + "_sum") : Set.of(name);
    }

    /** Labels of an exported series without those that every scrape adds. */
    public Set<String> labelsOf(JsonNode series) {
        Set<String> names = new TreeSet<>();
        series.fieldNames().forEachRemaining(names::add);
        names.removeAll(OF_THE_SCRAPE);
        names.removeAll(Set.of("__name__", "le", "service"));
        return names;
    }

    /** Labels that a query may use. */
    Set<String> usableLabels() {
        var usable = new TreeSet<>(labels);
        usable.addAll(OF_THE_SCRAPE);
        if (type.equals("histogram")) {
            usable.add("le");
        }
        return usable;
    }

    /** {@code djob, result = succeeded, failed} names djob and result: what follows an equals sign are values. */
    private static Set<String> labels(String cell) {
        Set<String> labels = new TreeSet<>();
        var text = cell.strip();
        int equals = text.indexOf('=');
        var names = equals < 0 ? text : text.substring(0, equals);
        for (var name : names.split(",")) {
            if (!name.isBlank()) {
                labels.add(name.strip());
            }
        }
        return labels;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
