package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.List;

/** Walks through the ids that a hash of tasks holds. Thread-safe. */
final class Ids {

    private static final LuaScript IDS = LuaScript.load(Ids.class, "repair_ids.lua", 1, 1);

    private final ScriptRunner scripts;

    Ids(ScriptRunner scripts) {
        this.scripts = scripts;
    }

    /** Ids of one page, and where the next begins: 0 at the end. */
    record Page(String next, List<TaskId> ids) {

        boolean isLast() {
            return next.equals("0");
        }
    }

    Page page(String key, String cursor) {
        var reply = scripts.run(IDS, List.of(key), cursor);
        var names = reply.array(2);
        var ids = new ArrayList<TaskId>(names.size());
        for (int i = 0; i < names.size(); i++) {
            ids.add(TaskId.fromBytes(names.bytes(i)));
        }
        return new Page(reply.text(1), List.copyOf(ids));
    }
}
