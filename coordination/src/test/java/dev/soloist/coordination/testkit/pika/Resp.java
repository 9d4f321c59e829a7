package dev.soloist.coordination.testkit.pika;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The second version of the Redis protocol, as far as a server needs it. Pure. */
final class Resp {

    private static final int MAX_ELEMENTS = 1 << 20;

    private Resp() {}

    /** The next command, or null at the end of the connection. */
    static @Nullable List<byte[]> command(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        if (first != '*') {
            throw new IOException("inline commands are not spoken here");
        }
        int count = length(line(in));
        var words = new ArrayList<byte[]>(count);
        for (int i = 0; i < count; i++) {
            if (in.read() != '$') {
                throw new IOException("a command is an array of bulk strings");
            }
            words.add(bulk(in, length(line(in))));
        }
        return words;
    }

    /** One whole reply, as it came. */
    static byte[] reply(DataInputStream in) throws IOException {
        var raw = new ByteArrayOutputStream();
        copyReply(in, raw);
        return raw.toByteArray();
    }

    static byte[] array(List<byte[]> words) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(bytes("*" + words.size() + "\r\n"));
        for (byte[] word : words) {
            out.writeBytes(bytes("$" + word.length + "\r\n"));
            out.writeBytes(word);
            out.writeBytes(bytes("\r\n"));
        }
        return out.toByteArray();
    }

    static byte[] array(String... words) {
        return array(Arrays.stream(words).map(Resp::bytes).toList());
    }

    static byte[] ok() {
        return bytes("+OK\r\n");
    }

    static byte[] error(String text) {
        return bytes("-" + text + "\r\n");
    }

    static byte[] bulk(String text) {
        return bytes("$" + bytes(text).length + "\r\n" + text + "\r\n");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] raw) {
        return new String(raw, StandardCharsets.UTF_8);
    }

    private static void copyReply(DataInputStream in, ByteArrayOutputStream raw) throws IOException {
        int kind = in.read();
        if (kind < 0) {
            throw new EOFException();
        }
        byte[] head = line(in);
        raw.write(kind);
        raw.writeBytes(head);
        raw.writeBytes(bytes("\r\n"));
        int length = kind == '$' || kind == '*' ? Integer.parseInt(text(head)) : -1;
        if (kind == '$' && length >= 0) {
            raw.writeBytes(bulk(in, length));
            raw.writeBytes(bytes("\r\n"));
        }
        for (int i = 0; kind == '*' && i < length; i++) {
            copyReply(in, raw);
        }
    }

    private static byte[] bulk(DataInputStream in, int length) throws IOException {
        byte[] value = new byte[length];
        in.readFully(value);
        in.skipNBytes(2);
        return value;
    }

    private static int length(byte[] line) throws IOException {
        int length = Integer.parseInt(text(line));
        if (length < 0 || length > 64 * MAX_ELEMENTS) {
            throw new IOException("a length of " + length);
        }
        return length;
    }

    private static byte[] line(DataInputStream in) throws IOException {
        var line = new ByteArrayOutputStream(16);
        int next = in.read();
        while (next != '\r') {
            if (next < 0) {
                throw new EOFException();
            }
            line.write(next);
            next = in.read();
        }
        in.skipNBytes(1);
        return line.toByteArray();
    }
}
