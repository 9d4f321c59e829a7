package dev.soloist.coordination.cas;

import java.util.Set;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.jse.JseMathLib;

/**
 * What a script finds in its surroundings: the part of the server's Lua 5.1 that has no reach beyond its arguments. No
 * files, no loading of code, no Java, no chance, no coroutines. Shared by all runs; scripts cannot write into it.
 */
final class LuaLibraries {

    private static final Set<String> BASE =
            Set.of("assert", "error", "ipairs", "next", "pairs", "select", "tonumber", "tostring", "type");
    private static final Set<String> STRING =
            Set.of("byte", "char", "find", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper");
    private static final Set<String> TABLE = Set.of("concat", "insert", "remove", "sort");
    private static final Set<String> MATH = Set.of("abs", "ceil", "floor", "fmod", "huge", "max", "min", "pow", "sqrt");

    private static final LuaTable SHARED = shared();

    private LuaLibraries() {}

    /** Surroundings for one run, to which the caller adds what belongs to the run; other globals raise an error. */
    static LuaTable surroundings() {
        LuaTable own = new Surroundings();
        for (LuaValue name : SHARED.keys()) {
            own.rawset(name, SHARED.rawget(name));
        }
        return own;
    }

    private static LuaTable shared() {
        Globals all = new Globals();
        LuaTable loading = new LuaTable();
        loading.set("loaded", new LuaTable());
        all.load(new BaseLib());
        all.set("package", loading);
        all.load(new StringLib());
        all.load(new TableLib());
        all.load(new JseMathLib());
        LuaTable shared = chosen(all, BASE);
        LuaTable string = chosen(all.get("string").checktable(), STRING);
        string.set("format", new LuaFormat());
        LuaTable json = new LuaTable();
        json.set("encode", new LuaJson());
        LuaTable sealedString = sealed(string);
        LuaTable methods = new LuaTable();
        methods.set(LuaValue.INDEX, sealedString);
        LuaString.s_metatable = methods;
        shared.set("string", sealedString);
        shared.set("table", sealed(chosen(all.get("table").checktable(), TABLE)));
        shared.set("math", sealed(chosen(all.get("math").checktable(), MATH)));
        shared.set("cjson", sealed(json));
        shared.set("unpack", all.get("table").get("unpack"));
        return shared;
    }

    private static LuaTable chosen(LuaTable from, Set<String> names) {
        LuaTable to = new LuaTable();
        for (String name : names) {
            LuaValue value = from.get(name);
            if (value.isnil()) {
                throw new IllegalStateException("the interpreter has no " + name);
            }
            to.set(name, value);
        }
        return to;
    }

    /** A library that all runs share: reading only. */
    private static LuaTable sealed(LuaTable library) {
        return new Sealed(library);
    }

    private static final class Sealed extends LuaTable {

        Sealed(LuaTable content) {
            for (LuaValue name : content.keys()) {
                super.rawset(name, content.rawget(name));
            }
        }

        @Override
        public void set(int key, LuaValue value) {
            throw refused();
        }

        @Override
        public void set(LuaValue key, LuaValue value) {
            throw refused();
        }
    }

    /** The globals of one run. As on the server, a name that nobody gave is an error, and so is a new one. */
    private static final class Surroundings extends LuaTable {

        @Override
        public LuaValue get(LuaValue key) {
            LuaValue value = super.get(key);
            if (value.isnil()) {
                throw new LuaError("Script attempted to access nonexistent global variable '" + key.tojstring() + "'");
            }
            return value;
        }

        @Override
        public void set(LuaValue key, LuaValue value) {
            throw refused();
        }
    }

    private static LuaError refused() {
        return new LuaError("Attempt to modify a readonly table");
    }
}
