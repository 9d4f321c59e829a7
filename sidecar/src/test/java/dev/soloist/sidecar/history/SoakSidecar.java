package dev.soloist.sidecar.history;

import dev.soloist.sidecar.Sidecar;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.settings.SidecarSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A sidecar as a process of its own, as it is but for a quicker pace, so that a run of a minute sees what takes hours else. */
final class SoakSidecar {

    private static final Pace QUICK = new Pace(
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(15));

    private SoakSidecar() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws Exception {
        var sidecar = new Sidecar(SidecarSettings.fromEnvironment(System.getenv()), QUICK).start();
        new CountDownLatch(1).await();
        sidecar.close();
    }
}
