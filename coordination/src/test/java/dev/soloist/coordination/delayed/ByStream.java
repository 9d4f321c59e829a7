package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.Transport;
import java.time.Duration;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets every {@link QueueUnderTest} of a class deliver through a stream. */
public final class ByStream implements BeforeEachCallback, AfterEachCallback {

    /** An hour of history. */
    public static final Transport.Stream STREAM = new Transport.Stream(Duration.ofHours(1), 100_000);

    private static volatile Transport current = Transport.LIST;

    static Transport current() {
        return current;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        current = STREAM;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        current = Transport.LIST;
    }
}
