package dev.soloist.sidecar.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTokenTest {

    @TempDir
    Path directory;

    @Test
    void aRestartKeepsTheToken() throws IOException {
        var file = directory.resolve("run/token");

        var first = LocalToken.establish(file);
        var second = LocalToken.establish(file);

        assertThat(second.authorization()).isEqualTo(first.authorization());
        assertThat(Files.readString(file)).matches("[0-9a-f]{64}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r--r--r--");
        try (var files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aHalfWrittenFileIsReplaced() throws IOException {
        var file = directory.resolve("token");
        Files.writeString(file, "abc");

        var token = LocalToken.establish(file);

        assertThat(token.authorization()).isEqualTo("Bearer " + Files.readString(file));
    }

    @Test
    void onlyTheWholeHeaderMatches() throws IOException {
        var token = LocalToken.establish(directory.resolve("token"));

        assertThat(token.matches(token.authorization())).isTrue();
        assertThat(token.matches(token.authorization().substring(1))).isFalse();
        assertThat(token.matches(token.authorization() + " ")).isFalse();
        assertThat(token.matches("")).isFalse();
    }
}
