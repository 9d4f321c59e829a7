package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.List;
import java.util.Map;

/** Tries by one script what the other scripts rely on. */
final class ScriptTrial {

    private static final LuaScript TRY = LuaScript.load(ScriptTrial.class, "try.lua", 2, 0);

    private final ScriptRunner scripts;

    ScriptTrial(RedisLink link) {
        this.scripts = new ScriptRunner(link);
    }

    void run(String key, Map<Capability, Finding> found) {
        var reply = new ScriptReply[1];
        Finding ran = Trial.of(() -> {
            reply[0] = scripts.run(TRY, List.of(key, key + ":z"));
            return Finding.YES;
        });
        found.put(Capability.SCRIPTS, ran);
        if (!ran.isYes()) {
            return;
        }
        long remaining = reply[0].number(1);
        found.put(Capability.SCRIPT_TIME, Finding.YES);
        found.put(
                Capability.MILLISECOND_EXPIRY,
                Finding.of(remaining > 1000 && remaining <= 1500, "PX 1500 left " + remaining + " ms"));
        found.put(Capability.SET_NX, Finding.of(reply[0].number(2) == 1, "SET NX wrote over a value that was there"));
        found.put(Capability.ZADD_NX, Finding.of(reply[0].number(3) == 1, "ZADD NX changed the score of a member"));
    }
}
