package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrdManifestsTest {

    private static final Path COMMITTED = Path.of("../config/crd/bases");

    @TempDir
    Path generated;

    @Test
    void theCommittedManifestsAreThoseOfTheJavaTypes() throws IOException {
        CrdManifests.writeTo(generated);

        assertThat(namesIn(COMMITTED)).containsExactlyInAnyOrderElementsOf(namesIn(generated));
        for (var name : namesIn(generated)) {
            assertThat(COMMITTED.resolve(name))
                    .as("%s (run: make generate)", name)
                    .hasSameTextualContentAs(generated.resolve(name));
        }
    }

    @Test
    void theManifestsAreOnTheClassPathWhereHarnessesLookForThem() throws IOException {
        for (var name : namesIn(COMMITTED)) {
            assertThat(getClass().getResource("/META-INF/fabric8/" + name)).isNotNull();
        }
    }

    private static List<String> namesIn(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
