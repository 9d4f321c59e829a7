package dev.soloist.coordination.cas;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.OneArgFunction;
import org.luaj.vm2.lib.VarArgFunction;

/** One run of a script on a key space in memory. Nothing leaves it but its outcome. Not thread-safe; runs share code only. */
final class LuaRun {

    private static final Map<String, Prototype> COMPILED = new ConcurrentHashMap<>();

    private final Keyspace keyspace;
    private final List<Outcome.Message> messages = new ArrayList<>();

    private LuaRun(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * Runs a script; the key space holds its writes afterwards.
     *
     * @throws ScriptFailed if the script raised or returned an error: its writes are to be thrown away
     */
    static Outcome run(LuaScript script, List<String> keys, byte[][] arguments, Keyspace keyspace) {
        var run = new LuaRun(keyspace);
        LuaTable globals = LuaLibraries.surroundings();
        globals.rawset(
                "KEYS",
                array(keys.stream()
                        .map(key -> key.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new)));
        globals.rawset("ARGV", array(arguments));
        globals.rawset("redis", run.redis());
        Prototype code = COMPILED.computeIfAbsent(script.sha(), sha -> compile(script));
        try {
            Object reply = LuaTexts.reply(new LuaClosure(code, globals).call());
            return new Outcome(reply, List.copyOf(run.messages));
        } catch (CommandFailed e) {
            throw new ScriptFailed(e.text());
        } catch (LuaError e) {
            throw sort(e, script);
        }
    }

    private static RuntimeException sort(LuaError error, LuaScript script) {
        return switch (error.getCause()) {
            case RedisUnavailable e -> e;
            case CommandFailed e -> new ScriptFailed(e.text() + " script: " + script.name());
            case null, default -> new ScriptFailed("ERR " + error.getMessage() + " script: " + script.name());
        };
    }

    private static Prototype compile(LuaScript script) {
        try {
            byte[] text = script.text().getBytes(StandardCharsets.UTF_8);
            return LuaC.instance.compile(new ByteArrayInputStream(text), "@" + script.name());
        } catch (IOException e) {
            throw new ScriptFailed("ERR Error compiling script " + script.name() + ": " + e.getMessage());
        }
    }

    private static LuaTable array(byte[][] texts) {
        LuaTable array = new LuaTable(texts.length, 0);
        for (int i = 0; i < texts.length; i++) {
            array.set(i + 1, LuaTexts.lua(texts[i]));
        }
        return array;
    }

    private LuaTable redis() {
        LuaTable redis = new LuaTable();
        redis.set("call", new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                return LuaTexts.lua(command(arguments));
            }
        });
        redis.set("pcall", new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                try {
                    return LuaTexts.lua(command(arguments));
                } catch (CommandFailed e) {
                    return LuaTexts.error(e.text());
                }
            }
        });
        redis.set("error_reply", new OneArgFunction() {
            @Override
            public LuaValue call(LuaValue message) {
                return LuaTexts.error(LuaTexts.text(message.checkstring()));
            }
        });
        redis.set("status_reply", new OneArgFunction() {
            @Override
            public LuaValue call(LuaValue word) {
                return LuaTexts.status(LuaTexts.text(word.checkstring()));
            }
        });
        return redis;
    }

    private Reply command(Varargs arguments) {
        String name = LuaTexts.text(arguments.checkstring(1));
        List<String> rest = new ArrayList<>(arguments.narg() - 1);
        for (int i = 2; i <= arguments.narg(); i++) {
            rest.add(LuaTexts.argument(arguments.arg(i)));
        }
        if (!name.equals("PUBLISH")) {
            return Commands.run(keyspace, name, rest);
        }
        Arguments.exactly(2, rest);
        messages.add(new Outcome.Message(utf8(rest.get(0)), utf8(rest.get(1))));
        return Reply.of(0);
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
