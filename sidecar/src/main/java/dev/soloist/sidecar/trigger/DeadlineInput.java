package dev.soloist.sidecar.trigger;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Bytes from a socket until a moment of {@link System#nanoTime()}, however slowly they drip. */
final class DeadlineInput extends InputStream {

    private final Socket socket;
    private final InputStream in;
    private final long deadline;

    DeadlineInput(Socket socket, long deadline) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
        arm();
        return in.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        arm();
        return in.read(buffer, offset, length);
    }

    private void arm() throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException("no time left");
        }
        socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
    }
}
