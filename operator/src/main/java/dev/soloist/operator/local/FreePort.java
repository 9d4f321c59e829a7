package dev.soloist.operator.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// A port that was free a moment ago.
final class FreePort {

    private FreePort() {}

    static int next() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
