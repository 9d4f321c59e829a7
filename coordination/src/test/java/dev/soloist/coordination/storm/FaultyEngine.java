package dev.soloist.coordination.storm;

import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What can happen to a call on its way to Redis and back. Used by one thread. */
final class FaultyEngine implements ScriptEngine {

    private static final long LATEST_NANOS = 120_000_000;

    private record Late(long dueNanos, LuaScript script, List<String> keys, byte[][] arguments) {}

    private final ScriptEngine server;
    private final Random dice;
    private final List<Late> underWay = new ArrayList<>();
    private boolean calm;

    FaultyEngine(ScriptEngine server, Random dice) {
        this.server = server;
        this.dice = dice;
    }

    @Override
    public @Nullable Object eval(LuaScript script, List<String> keys, byte[][] arguments) {
        int roll = calm ? 100 : dice.nextInt(100);
        if (roll < 3) {
            throw new NoAnswer("never sent");
        }
        if (roll < 8) {
            server.eval(script, keys, arguments);
            throw new NoAnswer("done, answer lost");
        }
        if (roll < 11) {
            server.eval(script, keys, arguments);
            return server.eval(script, keys, arguments);
        }
        if (roll < 18) {
            long late = (long) (dice.nextDouble() * dice.nextDouble() * LATEST_NANOS);
            underWay.add(new Late(System.nanoTime() + late, script, keys, arguments));
            throw new NoAnswer("arrives late");
        }
        return server.eval(script, keys, arguments);
    }

    /** Lets calls arrive whose time has come. */
    void deliverLate() {
        long now = System.nanoTime();
        for (int i = underWay.size() - 1; i >= 0; i--) {
            Late late = underWay.get(i);
            if (now - late.dueNanos() >= 0) {
                underWay.remove(i);
                server.eval(late.script(), late.keys(), late.arguments());
            }
        }
    }

    /** From now on every call is answered; what is under way still arrives. */
    void calm() {
        calm = true;
    }
}
