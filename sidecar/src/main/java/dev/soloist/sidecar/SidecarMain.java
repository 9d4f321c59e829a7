package dev.soloist.sidecar;

import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.settings.SidecarSettings;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Environment to objects, start, and an orderly end on SIGTERM with exit code 0. */
public final class SidecarMain {

    private SidecarMain() {}

    /** Runs until SIGTERM, or through one training run with {@code --train}. */
    public static void main(String[] arguments) throws Exception {
        var training = arguments.length == 1 && arguments[0].equals("--train");
        if (arguments.length > 0 && !training) {
            System.err.println("usage: sidecar [--train]; everything else comes from the environment");
            System.exit(2);
        }
        if (training) {
            Training.run();
            System.exit(0);
        }
        var settings = SidecarSettings.fromEnvironment(System.getenv());
        LogLevel.set(settings.environment().logLevel());
        var sidecar = new Sidecar(settings, Pace.DEFAULT).start();
        var ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(() -> end(sidecar, ended)));
        ended.await();
    }

    /** A process told to end by a signal would exit with 143, which Kubernetes shows as an error; this one ends as it was asked to. */
    private static void end(Sidecar sidecar, CountDownLatch ended) {
        Logger logger = LoggerFactory.getLogger(SidecarMain.class);
        try {
            sidecar.stop();
        } catch (RuntimeException unexpected) {
            logger.error("the end was not orderly; leases and segments are taken over by others", unexpected);
        }
        ended.countDown();
        Runtime.getRuntime().halt(0);
    }
}
