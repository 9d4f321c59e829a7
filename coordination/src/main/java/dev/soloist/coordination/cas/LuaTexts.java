package dev.soloist.coordination.cas;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** Values on their way into Lua and out of it, by the server's rules of conversion. Pure. */
final class LuaTexts {

    private static final LuaValue ERR = LuaValue.valueOf("err");
    private static final LuaValue OK = LuaValue.valueOf("ok");

    private LuaTexts() {}

    /** One character per byte. */
    static String text(LuaString string) {
        return new String(string.m_bytes, string.m_offset, string.m_length, StandardCharsets.ISO_8859_1);
    }

    static LuaString lua(String text) {
        return LuaString.valueUsing(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static LuaString lua(byte[] bytes) {
        return LuaString.valueOf(bytes);
    }

    static LuaTable error(String message) {
        LuaTable table = new LuaTable();
        table.set(ERR, lua(message));
        return table;
    }

    static LuaTable status(String word) {
        LuaTable table = new LuaTable();
        table.set(OK, lua(word));
        return table;
    }

    /** A command's answer as scripts see it. */
    static LuaValue lua(Reply reply) {
        return switch (reply) {
            case Reply.Nil nil -> LuaValue.FALSE;
            case Reply.Integral(long value) -> LuaValue.valueOf((double) value);
            case Reply.Text(String content) -> lua(content);
            case Reply.Status(String word) -> status(word);
            case Reply.Array(List<Reply> elements) -> {
                LuaTable table = new LuaTable(elements.size(), 0);
                for (int i = 0; i < elements.size(); i++) {
                    table.set(i + 1, lua(elements.get(i)));
                }
                yield table;
            }
        };
    }

    /** A command's argument: a text, or a number that loses nothing up to 2^53. */
    static String argument(LuaValue value) {
        return switch (value.type()) {
            case LuaValue.TSTRING -> text(value.checkstring());
            case LuaValue.TNUMBER -> Numbers.format(value.todouble(), 17);
            default -> throw new LuaError("Lua redis lib command arguments must be strings or integers");
        };
    }

    /**
     * What a script returned, as the server would send it: numbers are cut to integers, an array ends before its first nil.
     *
     * @throws CommandFailed if it returned an error
     */
    static @Nullable Object reply(LuaValue value) {
        return switch (value.type()) {
            case LuaValue.TSTRING -> text(value.checkstring()).getBytes(StandardCharsets.ISO_8859_1);
            case LuaValue.TNUMBER -> (long) value.todouble();
            case LuaValue.TBOOLEAN -> value.toboolean() ? 1L : null;
            case LuaValue.TTABLE -> reply(value.checktable());
            default -> null;
        };
    }

    private static Object reply(LuaTable table) {
        LuaValue error = table.rawget(ERR);
        if (error.isstring()) {
            throw new CommandFailed(text(error.checkstring()));
        }
        LuaValue status = table.rawget(OK);
        if (status.isstring()) {
            return text(status.checkstring()).getBytes(StandardCharsets.ISO_8859_1);
        }
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 1; !table.rawget(i).isnil(); i++) {
            elements.add(reply(table.rawget(i)));
        }
        return elements;
    }
}
