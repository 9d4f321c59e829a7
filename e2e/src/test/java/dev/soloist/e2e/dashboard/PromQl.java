package dev.soloist.e2e.dashboard;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a query names, found by its shape: enough for our own queries, no parser of the language. Pure. */
final class PromQl {

    private static final Pattern METRIC = Pattern.compile("\\bsoloist_[a-z_]+");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)\\s*\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\b([a-z_]+)\\([^\\[()]*\\[([^\\]]*)]");

    private PromQl() {}

    /** Metrics, by the names of their series ({@code …_bucket}). */
    static Set<String> series(String query) {
        return found(METRIC, query);
    }

    /** Labels that the query selects or groups by. */
    static Set<String> labels(String query) {
        var labels = found(MATCHER, query);
        var groups = GROUPING.matcher(query);
        while (groups.find()) {
            for (var label : groups.group(1).split(",")) {
                labels.add(label.strip());
            }
        }
        labels.remove("__name__");
        return labels;
    }

    /** Each function over a range with its range: {@code rate $__rate_interval}. */
    static Set<String> ranges(String query) {
        Set<String> ranges = new TreeSet<>();
        var matcher = RANGE.matcher(query);
        while (matcher.find()) {
            ranges.add(matcher.group(1) + " " + matcher.group(2));
        }
        return ranges;
    }

    private static Set<String> found(Pattern pattern, String query) {
        Set<String> found = new TreeSet<>();
        var matcher = pattern.matcher(query);
        while (matcher.find()) {
            found.add(matcher.groupCount() == 0 ? matcher.group() : matcher.group(1));
        }
        return found;
    }
}
