package dev.soloist.coordination.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each script is an action of its model under the same name, or the model says why it leaves it out. */
class ModelNamesTest {
    private static final Pattern INLINE = Pattern.compile("(?m)^inline (\\w+)\\(");
    private static final Pattern LEFT_OUT = Pattern.compile("(?s)Not modelled: (.*?)\\n \\*\\s*\\n");

    @Test
    void everyScriptOfASingletonJobIsAnActionOrLeftOutAloud() {
        agree("singleton.pml", Set.of("singleton"));
    }

    @Test
    void everyScriptOfTasksAndInstancesIsAnActionOrLeftOutAloud() {
        agree("reclaim.pml", Set.of("delayed", "instance"));
    }

    private static void agree(String model, Set<String> folders) {
        String text = read(Path.of("model", model));
        Set<String> actions = found(INLINE, text);
        Set<String> scripts = folders.stream().flatMap(ModelNamesTest::scripts).collect(Collectors.toSet());
        var leftOut = LEFT_OUT.matcher(text);
        assertThat(leftOut.find()).as("%s says what it leaves out", model).isTrue();
        // What stands in brackets is the reason.
        Set<String> named =
                found(Pattern.compile("\\b([a-z_]+)\\b"), leftOut.group(1).replaceAll("\\([^)]*\\)", ""));
        assertThat(scripts).as("scripts left out").containsAll(named);
        assertThat(actions).as("actions that the text says are left out").doesNotContainAnyElementsOf(named);
        var missing = new TreeSet<>(scripts);
        missing.removeAll(actions);
        assertThat(missing).as("scripts that are no action of %s", model).isEqualTo(new TreeSet<>(named));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> scripts(String folder) {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/soloist/coordination", folder))) {
            return files
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".lua"))
                    .map(name -> name.substring(0, name.length() - 4))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
