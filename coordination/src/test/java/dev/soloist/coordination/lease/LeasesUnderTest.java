package dev.soloist.coordination.lease;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;

/** The leases of one namespace on a real server, and the steps that tests repeat. */
final class LeasesUnderTest implements AutoCloseable {

    static final String NAMESPACE = "shop";
    static final Duration TTL = Duration.ofSeconds(30);
    static final LeaseName NAME = new LeaseName("export");
    static final LeaseHolder ALICE = new LeaseHolder("alice-uid", "alice");
    static final LeaseHolder BOB = new LeaseHolder("bob-uid", "bob");

    final RedisKeys keys = new RedisKeys(Install.MAIN);
    final RedisLink link;
    final ScriptRunner scripts;
    final Leases leases;

    LeasesUnderTest(ServerUnderTest server) {
        link = server.link();
        scripts = server.scripts(link);
        leases = new Leases(scripts, keys, NAMESPACE);
    }

    Acquisition acquire(LeaseHolder holder) {
        return leases.acquire(NAME, holder, Nonce.create(), TTL);
    }

    /** Must be granted; returns its fence. */
    Fence acquired(LeaseHolder holder, Duration ttl) {
        return fence(leases.acquire(NAME, holder, Nonce.create(), ttl));
    }

    static Fence fence(Acquisition answer) {
        if (answer instanceof Acquisition.Acquired acquired) {
            return acquired.fence();
        }
        throw new AssertionError("not granted: " + answer);
    }

    @Override
    public void close() {
        link.close();
    }
}
