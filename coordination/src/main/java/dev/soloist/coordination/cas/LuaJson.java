package dev.soloist.coordination.cas;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.OneArgFunction;

/** {@code cjson.encode} as the server has it: numbers with 14 digits, an empty table as an object, slashes escaped. */
final class LuaJson extends OneArgFunction {

    private static final int DEEPEST = 1000;

    @Override
    public LuaValue call(LuaValue value) {
        StringBuilder out = new StringBuilder();
        write(value, out, 0);
        return LuaTexts.lua(out.toString());
    }

    private static void write(LuaValue value, StringBuilder out, int depth) {
        if (depth > DEEPEST) {
            throw new LuaError("Cannot serialise, excessive depth (" + depth + ")");
        }
        switch (value.type()) {
            case LuaValue.TSTRING -> quote(LuaTexts.text(value.checkstring()), out);
            case LuaValue.TNUMBER -> out.append(number(value.todouble()));
            case LuaValue.TBOOLEAN -> out.append(value.toboolean());
            case LuaValue.TNIL -> out.append("null");
            case LuaValue.TTABLE -> write(value.checktable(), out, depth + 1);
            default -> throw new LuaError("Cannot serialise " + value.typename() + ": type not supported");
        }
    }

    private static void write(LuaTable table, StringBuilder out, int depth) {
        int length = table.rawlen();
        boolean array = length > 0 && table.keyCount() == length;
        out.append(array ? '[' : '{');
        String separator = "";
        for (Varargs entry = table.next(LuaValue.NIL); !entry.arg1().isnil(); entry = table.next(entry.arg1())) {
            out.append(separator);
            separator = ",";
            if (!array) {
                quote(key(entry.arg1()), out);
                out.append(':');
            }
            write(entry.arg(2), out, depth);
        }
        out.append(array ? ']' : '}');
    }

    private static String key(LuaValue key) {
        return switch (key.type()) {
            case LuaValue.TSTRING -> LuaTexts.text(key.checkstring());
            case LuaValue.TNUMBER -> number(key.todouble());
            default -> throw new LuaError("Cannot serialise table: table key must be a number or string");
        };
    }

    private static String number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new LuaError("Cannot serialise number: must not be NaN or Inf");
        }
        return Numbers.format(number, 14);
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\', '/' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20 || c == 0x7f) {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
