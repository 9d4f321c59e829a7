package dev.soloist.sidecar.store;

import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.store.StoreDirectory;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.settings.SidecarSettings;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;

/**
 * The link to the store that the mounted files name. Opening never blocks; when the files change the link is made anew with what they
 * say then. Thread-safe.
 */
public final class Store implements AutoCloseable {

    private static final Duration READ_CLOCK_EVERY = Duration.ofSeconds(15);

    private final RedisLink link;
    private final CoordinationStore data;
    private final BackgroundLoop readClock;
    private final BackgroundLoop look;

    /** Begins to connect and returns at once. */
    public Store(SidecarSettings settings, Meters meters) {
        var files = new StoreDirectory(settings.storeDirectory(), "soloist-sidecar");
        this.link =
                RedisLink.open(files, (took, failure) -> meters.storeCall(took, failure == null ? "" : failure.name()));
        this.data = CoordinationStore.ofNamespace(
                link,
                new Install(settings.environment().install()),
                settings.namespace(),
                () -> ModeWish.made(files.text(StoreFile.MODE)));
        this.readClock = new BackgroundLoop("store-clock", this::readClock, _ -> meters.loopFailed("store-clock"));
        this.look = new BackgroundLoop("store-look", data.gate()::turn, _ -> meters.loopFailed("store-look"));
        for (var mode : new String[] {"Scripted", "Cas", "Refused"}) {
            meters.gauge(
                    "soloist.store.mode",
                    Tags.of("mode", mode),
                    data.gate(),
                    gate -> gate.mode().word().equals(mode) ? 1 : 0);
        }
        meters.gauge(
                "soloist.store.safe",
                Tags.empty(),
                data.gate(),
                gate -> gate.danger().isEmpty() ? 1 : 0);
        meters.gauge("soloist.store.up", Tags.empty(), link, up -> up.isConnected() ? 1 : 0);
        meters.secondsGauge("soloist.clock.skew", Tags.empty(), link, Store::skew);
    }

    /** Begins to follow the clock and what the server can do. */
    public void start() {
        readClock.start();
        look.start();
        link.onConnected(readClock::wake);
    }

    /** The one link of this process. */
    public RedisLink link() {
        return link;
    }

    /** What this installation keeps there. */
    public CoordinationStore data() {
        return data;
    }

    private Duration readClock() {
        if (link.isConnected()) {
            link.now();
        }
        return READ_CLOCK_EVERY;
    }

    private static double skew(RedisLink link) {
        return link.clock().isSet() ? link.clock().skewOf(Instant.now()).toMillis() / 1000.0 : Double.NaN;
    }

    @Override
    public void close() {
        readClock.close();
        look.close();
        link.close();
    }
}
