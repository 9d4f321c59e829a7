package dev.soloist.coordination.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that knows docs/wire-format.md and the Lua files, and nothing of our classes: RESP over a socket, EVAL, names
 * put together by hand. Texts only. Not thread-safe.
 */
final class SecondClient implements AutoCloseable {

    private static final Path SCRIPTS = Path.of("src/main/resources/dev/soloist/coordination");
    private static final String P = "soloist:main:";

    private final Socket socket;
    private final DataInputStream in;
    private final String job;
    private final String instance;

    SecondClient(int port, String job, String instance) throws IOException {
        this.socket = new Socket("127.0.0.1", port);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.job = job;
        this.instance = instance;
    }

    // A run.

    List<String> claim(String term, String nonce, String ttl) {
        List<String> time = flat(call(List.of("TIME")));
        long notAfter = Long.parseLong(time.getFirst()) * 1000 + 2000;
        return script(
                "singleton/claim", s("rec", "rdy", "dly", "lock"), term, instance, "a pod", nonce, ttl, "" + notAfter);
    }

    List<String> renew(String nonce, String ttl) {
        return script("singleton/renew", s("rec", "lock"), instance, nonce, ttl);
    }

    List<String> finish(String nonce, String term, String sequence, String nextDue) {
        return script(
                "singleton/finish",
                s("rec", "rdy", "dly", "lock", "hist", "mark", "log"),
                instance,
                nonce,
                term,
                sequence,
                "SUCCEEDED",
                "by the other",
                nextDue,
                "0",
                "NONE",
                "0",
                P + "{" + job + "}:wake",
                "10",
                "0");
    }

    // Tasks.

    List<String> register(String podUid) {
        return script("instance/register", q("il", "im"), instance, podUid, "a pod", "60000");
    }

    List<String> enqueue(String id, String delay, String requestKey, String payload) {
        return script(
                "delayed/enqueue",
                q("t", "a", "im", "dn", "dnz", "dlq", "d:" + instance, "r0", "r1", "r2", "dd", "ddz"),
                instance,
                id,
                "1",
                "IN",
                delay,
                digest(requestKey),
                "REJECT",
                "text/plain",
                payload,
                "262144",
                "1000000",
                wake(),
                "");
    }

    List<String> move(String segment) {
        return script("delayed/move", q("d:" + segment, "r0", "r1", "r2"), "500", wake());
    }

    List<String> reserve(String nonce) {
        return script(
                "delayed/reserve",
                q("t", "a", "x", "rn", "im", "dlq", "d:" + instance, "r0", "r1", "r2", "log", "rl"),
                instance,
                nonce,
                "10",
                "30000",
                "3",
                "0",
                "1048576",
                "10",
                "0",
                "0");
    }

    List<String> ack(String id, String receipt) {
        return script("delayed/ack", q("t", "a", "x", "dn", "dnz", "dd"), "600000", id, receipt);
    }

    // Names and bytes.

    private List<String> s(String... kinds) {
        return Arrays.stream(kinds).map(kind -> P + "{" + job + "}:" + kind).toList();
    }

    private List<String> q(String... kinds) {
        return Arrays.stream(kinds).map(kind -> P + "{" + job + "/0}:" + kind).toList();
    }

    private String wake() {
        return q("wake").getFirst();
    }

    private static String digest(String requestKey) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(requestKey.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 16));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> script(String name, List<String> keys, String... arguments) {
        try {
            var call = new ArrayList<>(
                    List.of("EVAL", Files.readString(SCRIPTS.resolve(name + ".lua")), "" + keys.size()));
            call.addAll(keys);
            call.addAll(List.of(arguments));
            return flat(call(call));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object call(List<String> words) {
        try {
            var out = new ByteArrayOutputStream();
            out.writeBytes(("*" + words.size() + "\r\n").getBytes(StandardCharsets.UTF_8));
            for (String word : words) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
                out.writeBytes(bytes);
                out.writeBytes(new byte[] {'\r', '\n'});
            }
            socket.getOutputStream().write(out.toByteArray());
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable Object answer() throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '+', ':' -> {
                return rest;
            }
            case '$' -> {
                int length = Integer.parseInt(rest);
                if (length < 0) {
                    return null;
                }
                byte[] bytes = in.readNBytes(length + 2);
                return new String(bytes, 0, length, StandardCharsets.UTF_8);
            }
            case '*' -> {
                var elements = new ArrayList<@Nullable Object>();
                for (int i = Integer.parseInt(rest); i > 0; i--) {
                    elements.add(answer());
                }
                return elements;
            }
            default -> throw new IllegalStateException(line);
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        in.read();
        return line.toString();
    }

    private static List<String> flat(@Nullable Object answer) {
        return switch (answer) {
            case null -> List.of("");
            case List<?> list ->
                list.stream().flatMap(element -> flat(element).stream()).toList();
            default -> List.of(answer.toString());
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
