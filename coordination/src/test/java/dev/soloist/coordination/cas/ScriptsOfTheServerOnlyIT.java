package dev.soloist.coordination.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process that works with a server's own scripts never loads the interpreter: a sidecar's memory is counted. */
class ScriptsOfTheServerOnlyIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    /** What the other process does. */
    public static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (var link = RedisLink.open(RedisSettings.of(arguments[0], Credentials.NONE, "test"))) {
                if (!link.awaitConnected(Duration.ofSeconds(60))) {
                    throw new IllegalStateException(link.trouble());
                }
                var store = new CoordinationStore(link, Install.MAIN);
                store.gate().look();
                var job = new JobId("shop", "nightly");
                store.singletons().seed(job, "uid", 1, "mark", link.now(), false, new SpecRevision("1", "every 1h"));
                System.out.println("state " + store.singletons().snapshot(job).state());
            }
        }
    }

    @Test
    void theInterpreterIsNotLoaded() throws IOException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        REDIS.address())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output).contains("state DELAYED").contains("dev.soloist.coordination.store.ModalEngine");
        assertThat(output).doesNotContain("org.luaj").doesNotContain("dev.soloist.coordination.cas.CasEngine ");
    }
}
