package dev.soloist.coordination.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that were free a moment ago, that no outgoing connection takes (the kernel chooses theirs from 32768 on, if nobody told it
 * otherwise), and that this JVM gives to nobody else: most are chosen long before anything listens there. Thread-safe.
 */
final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int END = 32_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    static int one() {
        return withOther(0, END);
    }

    /** With the one that is higher by {@code distance}, which is free as well. */
    static int withOther(int distance) {
        return withOther(distance, END - distance);
    }

    private static int withOther(int distance, int end) {
        for (int i = 0; i < 10_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, end);
            if (isFree(port)
                    && isFree(port + distance)
                    && GIVEN.add(port)
                    && (distance == 0 || GIVEN.add(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static boolean isFree(int port) {
        if (GIVEN.contains(port)) {
            return false;
        }
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
