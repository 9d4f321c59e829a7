package dev.soloist.coordination.testkit.pika;

import dev.soloist.coordination.testkit.pika.PikaFaults.Fate;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One client: its commands are done one after another, each by a connection of its own to the server behind. */
final class PikaSession implements Runnable {

    /** The handshake is not what tests count or break. */
    private static final Set<String> HANDSHAKE = Set.of("hello", "client", "auth", "select", "ping", "info");

    private static final Set<String> PUBSUB = Set.of("subscribe", "unsubscribe", "psubscribe", "punsubscribe");

    private final Socket client;
    private final Socket behind;
    private final Socket channelsBehind;
    private final PikaDialect dialect;
    private final PikaFaults faults;
    private final Runnable die;
    private final ReentrantLock writing = new ReentrantLock();
    private final Set<String> channels = new HashSet<>();
    private @Nullable List<List<byte[]>> queued;

    PikaSession(Socket client, int portBehind, PikaDialect dialect, PikaFaults faults, Runnable die)
            throws IOException {
        this.client = client;
        this.dialect = dialect;
        this.faults = faults;
        this.die = die;
        this.behind = new Socket(InetAddress.getLoopbackAddress(), portBehind);
        this.channelsBehind = new Socket(InetAddress.getLoopbackAddress(), portBehind);
        for (Socket socket : List.of(client, behind, channelsBehind)) {
            socket.setTcpNoDelay(true);
        }
    }

    void close() {
        for (Socket socket : List.of(client, behind, channelsBehind)) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is as closed as it can be.
            }
        }
    }

    @Override
    public void run() {
        Thread.ofVirtual().start(this::pumpMessages);
        try {
            var in = input(client);
            var replies = input(behind);
            List<byte[]> command = Resp.command(in);
            while (command != null && handle(command, replies)) {
                command = Resp.command(in);
            }
        } catch (IOException e) {
            // One end is gone; closing tells the other.
        } finally {
            close();
        }
    }

    private boolean handle(List<byte[]> command, DataInputStream replies) throws IOException {
        String name = Resp.text(command.getFirst()).toLowerCase(Locale.ROOT);
        Fate fate = HANDSHAKE.contains(name) || PUBSUB.contains(name)
                ? Fate.WHOLE
                : faults.next(name, severalWrites(name, command));
        if (fate == Fate.NEVER_DONE) {
            return false;
        }
        if (fate == Fate.HALF_DONE) {
            half(name, command, replies);
            die.run();
            return false;
        }
        if (PUBSUB.contains(name)) {
            subscriptions(name, command);
            return true;
        }
        byte[] reply = reply(name, command, replies);
        if (fate == Fate.UNANSWERED) {
            return false;
        }
        answer(reply);
        return !name.equals("quit");
    }

    private byte[] reply(String name, List<byte[]> command, DataInputStream replies) throws IOException {
        if (!channels.isEmpty()) {
            return name.equals("ping")
                    ? Resp.array("pong", "")
                    : Resp.error("ERR only (P)SUBSCRIBE / (P)UNSUBSCRIBE / PING / QUIT allowed in this context");
        }
        if (name.equals("quit")) {
            return Resp.ok();
        }
        if (faults.transactions()
                && Set.of("multi", "exec", "discard", "watch", "unwatch").contains(name)) {
            return transaction(name, command, replies);
        }
        List<List<byte[]>> waiting = queued;
        if (waiting != null) {
            if (dialect.translate(command) instanceof Translation.Answer(byte[] refusal) && refusal[0] == '-') {
                return refusal;
            }
            waiting.add(command);
            return Resp.bytes("+QUEUED\r\n");
        }
        return switch (dialect.translate(command)) {
            case Translation.Answer(byte[] answer) -> answer;
            case Translation.Forward(List<byte[]> forwarded) -> forward(forwarded, replies);
        };
    }

    /** Isolated by the server behind; {@link Fate#HALF_DONE} shows that Pika's is not atomic against a crash. */
    private byte[] transaction(String name, List<byte[]> command, DataInputStream replies) throws IOException {
        List<List<byte[]>> waiting = queued;
        switch (name) {
            case "multi" -> {
                queued = new ArrayList<>();
                return Resp.ok();
            }
            case "exec" -> {
                if (waiting == null) {
                    return Resp.error("ERR EXEC without MULTI");
                }
                queued = null;
                forward(List.of(Resp.bytes("multi")), replies);
                for (List<byte[]> each : waiting) {
                    if (dialect.translate(each) instanceof Translation.Forward(List<byte[]> forwarded)) {
                        forward(forwarded, replies);
                    }
                }
                return forward(List.of(Resp.bytes("exec")), replies);
            }
            case "discard" -> {
                queued = null;
                return forward(List.of(Resp.bytes("unwatch")), replies);
            }
            default -> {
                return waiting == null
                        ? forward(command, replies)
                        : Resp.error("ERR WATCH inside MULTI is not allowed");
            }
        }
    }

    private boolean severalWrites(String name, List<byte[]> command) {
        List<List<byte[]>> waiting = queued;
        return switch (name) {
            case "rpoplpush", "mset" -> true;
            case "del", "unlink" -> command.size() > 2;
            case "exec" -> waiting != null && waiting.size() > 1;
            default -> false;
        };
    }

    /** The first storage write of a command that makes several. */
    private void half(String name, List<byte[]> command, DataInputStream replies) throws IOException {
        List<List<byte[]>> waiting = queued;
        List<byte[]> first = switch (name) {
            case "rpoplpush" -> List.of(Resp.bytes("rpop"), command.get(1));
            case "mset" -> command.subList(0, 3);
            case "exec" -> waiting == null ? command : waiting.getFirst();
            default -> command.subList(0, 2);
        };
        if (dialect.translate(first) instanceof Translation.Forward(List<byte[]> forwarded)) {
            forward(forwarded, replies);
        }
    }

    private byte[] forward(List<byte[]> command, DataInputStream replies) throws IOException {
        OutputStream out = behind.getOutputStream();
        out.write(Resp.array(command));
        out.flush();
        return Resp.reply(replies);
    }

    /** Subscriptions have a connection behind of their own, whose replies and messages come through as they are. */
    private void subscriptions(String name, List<byte[]> command) throws IOException {
        for (byte[] channel : command.subList(1, command.size())) {
            if (name.endsWith("unsubscribe")) {
                channels.remove(Resp.text(channel));
            } else {
                channels.add(Resp.text(channel));
            }
        }
        if (command.size() == 1) {
            channels.clear();
        }
        OutputStream out = channelsBehind.getOutputStream();
        out.write(Resp.array(command));
        out.flush();
    }

    private void pumpMessages() {
        try {
            var in = input(channelsBehind);
            while (true) {
                answer(Resp.reply(in));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void answer(byte[] reply) throws IOException {
        writing.lock();
        try {
            OutputStream out = client.getOutputStream();
            out.write(reply);
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    private static DataInputStream input(Socket socket) throws IOException {
        return new DataInputStream(new BufferedInputStream(socket.getInputStream(), 32 * 1024));
    }
}
