package dev.soloist.operator.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What the one at the terminal asks for. Without a terminal nobody asks for anything.
final class Keyboard {

    /// A wish.
    enum Wish {
        NOTHING,
        KILL_POD,
        KILL_APP,
        KILL_SIDECAR,
        QUIT
    }

    private final BlockingQueue<Wish> wishes = new LinkedBlockingQueue<>();
    private final boolean terminal;

    private Keyboard(boolean terminal) {
        this.terminal = terminal;
    }

    /// Begins to listen if there is a terminal. JDK 25 gives no console without one, JDK 22 to 24 one that says so.
    @SuppressWarnings("SystemConsoleNull")
    static Keyboard open() {
        var console = System.console();
        var keyboard = new Keyboard(console != null && console.isTerminal());
        if (keyboard.terminal) {
            // A read of the terminal cannot be interrupted, so this thread must not keep the JVM alive.
            Thread.ofPlatform().daemon().name("keyboard").start(keyboard::listen);
        }
        return keyboard;
    }

    boolean isTerminal() {
        return terminal;
    }

    /// What can be asked for, for people.
    String offer() {
        return terminal
                ? "          Kill in the middle of a run: k the pod, a its app, s its sidecar; q ends. Then Enter."
                : "          (no terminal: it goes on for a while and ends by itself)";
    }

    /// Waits for a wish, at most for the time.
    Wish await(Duration time) throws InterruptedException {
        var wish = wishes.poll(time.toMillis(), TimeUnit.MILLISECONDS);
        return wish == null ? Wish.NOTHING : wish;
    }

    private void listen() {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                switch (line.strip()) {
                    case "k" -> wishes.add(Wish.KILL_POD);
                    case "a" -> wishes.add(Wish.KILL_APP);
                    case "s" -> wishes.add(Wish.KILL_SIDECAR);
                    case "q" -> wishes.add(Wish.QUIT);
                    default -> {}
                }
            }
        } catch (IOException noMoreTerminal) {
            // as at its end
        }
        wishes.add(Wish.QUIT);
    }
}
