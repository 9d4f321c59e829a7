package dev.soloist.sidecar.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Bytes from a socket until a deadline, however slowly they drip. For one thread. */
public final class DeadlineInput extends InputStream {

    private final Socket socket;
    private final InputStream in;
    private long deadline;

    /** Reads until the given moment of {@link System#nanoTime()}. */
    public DeadlineInput(Socket socket, long deadline) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.deadline = deadline;
    }

    /** Sets a new deadline, counted from now. */
    public void allow(Duration time) {
        deadline = System.nanoTime() + time.toNanos();
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
