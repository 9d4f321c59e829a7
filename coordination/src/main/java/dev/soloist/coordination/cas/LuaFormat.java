package dev.soloist.coordination.cas;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/** Lua's {@code string.format} for numbers and texts. LuaJ's own leaves width and digits of {@code %f} out. */
final class LuaFormat extends VarArgFunction {

    private static final Pattern ITEM = Pattern.compile("%(?:%|([-+0 ]*)(\\d{0,2})(?:\\.(\\d{0,2}))?([a-zA-Z]))");

    @Override
    public Varargs invoke(Varargs arguments) {
        Matcher items = ITEM.matcher(LuaTexts.text(arguments.checkstring(1)));
        StringBuilder out = new StringBuilder();
        int argument = 1;
        while (items.find()) {
            String text = "%";
            if (items.group(4) != null) {
                argument++;
                text = padded(items, body(items, arguments, argument));
            }
            items.appendReplacement(out, Matcher.quoteReplacement(text));
        }
        return LuaTexts.lua(items.appendTail(out).toString());
    }

    private static String body(Matcher item, Varargs arguments, int index) {
        String digits = item.group(3);
        return switch (item.group(4)) {
            case "s" -> {
                String text = LuaTexts.text(arguments.checkstring(index));
                yield digits == null ? text : text.substring(0, Math.min(text.length(), number(digits)));
            }
            case "d", "i" -> signed(item, String.valueOf((long) arguments.checkdouble(index)));
            case "f" -> signed(item, Numbers.fixed(arguments.checkdouble(index), digits == null ? 6 : number(digits)));
            default -> throw new LuaError("string.format: %" + item.group(4) + " is not supported here");
        };
    }

    private static String signed(Matcher item, String number) {
        return item.group(1).contains("+") && !number.startsWith("-") ? "+" + number : number;
    }

    private static String padded(Matcher item, String text) {
        int missing = number(item.group(2)) - text.getBytes(StandardCharsets.ISO_8859_1).length;
        if (missing <= 0) {
            return text;
        }
        String flags = item.group(1);
        if (flags.contains("-")) {
            return text + " ".repeat(missing);
        }
        if (!flags.contains("0") || item.group(4).equals("s")) {
            return " ".repeat(missing) + text;
        }
        int sign = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        return text.substring(0, sign) + "0".repeat(missing) + text.substring(sign);
    }

    private static int number(String digits) {
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
