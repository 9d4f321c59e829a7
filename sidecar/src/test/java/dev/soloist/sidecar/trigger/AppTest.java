package dev.soloist.sidecar.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.token.LocalToken;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the app is looked for. */
class AppTest {

    @TempDir
    Path directory;

    @Test
    void anAppThatListensElsewhereThanItsJobsSayIsFoundThere() throws IOException {
        var token = LocalToken.establish(directory.resolve("token"));
        var trigger = new Trigger(RedisProcess.freePort(), "/", Duration.ofSeconds(5));
        try (var there = new TestApp()) {
            assertThat(new App(token).listens(trigger)).isFalse();
            assertThat(new App(token, OptionalInt.of(there.port())).listens(trigger))
                    .isTrue();
        }
    }
}
