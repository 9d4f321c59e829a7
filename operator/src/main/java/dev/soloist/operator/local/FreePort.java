package dev.soloist.operator.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Ports that were free a moment ago. They lie below those that systems give to outgoing connections, so that only a
/// server could take one before we do. Thread-safe.
final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 200;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePort() {}

    static synchronized int next() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, END);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IOException("no free port between " + LOWEST + " and " + END);
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
