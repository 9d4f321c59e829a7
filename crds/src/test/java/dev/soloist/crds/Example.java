package dev.soloist.crds;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.JobRules;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.PolicyRules;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A manifest of the examples folder. Files named `invalid-…` begin with what a user is told, as pairs of comment
/// lines.
record Example(String name, String yaml, List<Violation> refused) {

    private static final Pattern TOLD = Pattern.compile("^# refused at: ?(.*)\n# because: (.*)$", Pattern.MULTILINE);
    private static final Path FOLDER = Path.of("src/test/resources/dev/soloist/crds");

    static Stream<Example> valid() {
        return Stream.of("job", "policy").flatMap(kind -> in(FOLDER.resolve(kind), "valid-"));
    }

    static Stream<Example> invalid() {
        return Stream.of("job", "policy").flatMap(kind -> in(FOLDER.resolve(kind), "invalid-"));
    }

    static Stream<Example> samples() {
        return in(Path.of("../config/samples"), "soloist_");
    }

    /// A manifest that a test writes itself.
    static Example of(String name, String yaml) {
        return new Example(name, yaml, List.of());
    }

    boolean isJob() {
        return yaml.contains("kind: DistributedJob");
    }

    DistributedJob job() {
        return ApiSerialization.lenient().unmarshal(yaml, DistributedJob.class);
    }

    LockPolicy policy() {
        return ApiSerialization.lenient().unmarshal(yaml, LockPolicy.class);
    }

    HasMetadata resource() {
        return isJob() ? job() : policy();
    }

    List<Violation> checkedInJava() {
        return isJob() ? JobRules.check(job()) : PolicyRules.check(policy());
    }

    @Override
    public String toString() {
        return name;
    }

    private static Stream<Example> in(Path folder, String prefix) {
        try (var files = Files.list(folder)) {
            return files
                    .filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .map(Example::read)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Example read(Path file) {
        try {
            var yaml = Files.readString(file);
            var refused = TOLD.matcher(yaml)
                    .results()
                    .map(told -> new Violation(told.group(1), told.group(2)))
                    .toList();
            var name = file.getParent().getFileName() + "/" + file.getFileName();
            return new Example(name, yaml, refused);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
