package dev.soloist.coordination.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Awaits that name no bound of their own end after half a minute instead of ten seconds: what is awaited is a fact, and a machine
 * that is busy with something else must not make a test fail. Nor does a look that cannot be had yet, for a server that stalls or a
 * status that nobody has written: the next look is awaited. Found by JUnit through the service file, in every module that uses this kit.
 */
public final class PatientAwaits implements BeforeAllCallback {

    private static final Duration BOUND = Duration.ofSeconds(30);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(BOUND);
        Awaitility.ignoreExceptionsByDefault();
    }
}
