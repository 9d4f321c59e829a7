package dev.soloist.coordination.singleton;

import dev.soloist.coordination.script.LuaScript;

/** The scripts of this package and how many keys and arguments each takes. */
final class SingletonScripts {
    static final LuaScript SEED = load("seed.lua", 6, LuaScript.ANY);
    static final LuaScript BEGIN_LOG = load("begin_log.lua", 2, 1);
    static final LuaScript TERM = load("term.lua", 1, 1);
    static final LuaScript PROMOTE = load("promote.lua", 3, 1);
    static final LuaScript CLAIM = load("claim.lua", 4, 6);
    static final LuaScript RENEW = load("renew.lua", 2, 3);
    static final LuaScript FINISH = load("finish.lua", 7, 13);
    static final LuaScript RELEASE = load("release.lua", 7, 5);
    static final LuaScript WATCH = load("watch.lua", 7, 10);
    static final LuaScript RECLAIM = load("reclaim.lua", 7, 9);
    static final LuaScript TRIGGER_NOW = load("trigger_now.lua", 3, 3);
    static final LuaScript UPDATE_SPEC = load("update_spec.lua", 3, 4);
    static final LuaScript SUSPEND = load("suspend.lua", 3, 0);
    static final LuaScript RESUME = load("resume.lua", 3, 2);
    static final LuaScript DELETE = load("delete.lua", 6, 2);
    static final LuaScript MOVE_AWAY = load("move_away.lua", 6, 2);
    static final LuaScript FORGET = load("forget.lua", 3, 2);
    static final LuaScript UNLOCK = load("unlock.lua", 2, 3);
    static final LuaScript SNAPSHOT = load("snapshot.lua", 4, 1);

    private SingletonScripts() {}

    private static LuaScript load(String file, int keys, int arguments) {
        return LuaScript.load(SingletonScripts.class, file, keys, arguments);
    }
}
