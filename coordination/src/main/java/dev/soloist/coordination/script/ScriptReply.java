package dev.soloist.coordination.script;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a script returned: an array whose first element is a status word. Every getter names the script when the reply
 * is not of the promised form. Immutable as long as nobody changes the bytes it hands out.
 */
public final class ScriptReply {

    private final String script;
    private final List<?> elements;

    ScriptReply(String script, @Nullable Object reply) {
        this.script = script;
        if (!(reply instanceof List<?> list) || list.isEmpty()) {
            throw new IllegalStateException(script + " returned " + reply + " where an array was promised");
        }
        this.elements = list;
    }

    private ScriptReply(String script, List<?> elements) {
        this.script = script;
        this.elements = elements;
    }

    /** The status word. */
    public String status() {
        return text(0);
    }

    /** How many elements there are, the status included. */
    public int size() {
        return elements.size();
    }

    /** A text in UTF-8. */
    public String text(int index) {
        return new String(bytes(index), StandardCharsets.UTF_8);
    }

    /** Raw bytes. */
    public byte[] bytes(int index) {
        return switch (element(index)) {
            case byte[] raw -> raw;
            case Long number -> number.toString().getBytes(StandardCharsets.UTF_8);
            case null, default -> throw wrong(index, "text");
        };
    }

    /** Whether the element is a nil (Lua {@code false}). */
    public boolean isNil(int index) {
        return element(index) == null;
    }

    /** An integer, sent as a number or as text. */
    public long number(int index) {
        try {
            return element(index) instanceof Long number ? number : Long.parseLong(text(index));
        } catch (NumberFormatException e) {
            throw wrong(index, "an integer");
        }
    }

    /** Milliseconds since the epoch by the Redis clock. */
    public Instant instant(int index) {
        return Instant.ofEpochMilli(number(index));
    }

    /** A span in milliseconds. */
    public Duration duration(int index) {
        return Duration.ofMillis(number(index));
    }

    /** A nested array. */
    public ScriptReply array(int index) {
        if (element(index) instanceof List<?> list) {
            return new ScriptReply(script, list);
        }
        throw wrong(index, "an array");
    }

    /** Fails because the status is none that the script's header lists. */
    public IllegalStateException unknownStatus() {
        return new IllegalStateException(script + " returned the unknown status " + status());
    }

    @Override
    public String toString() {
        return script + " " + elements.size() + " elements";
    }

    private @Nullable Object element(int index) {
        if (index >= elements.size()) {
            throw new IllegalStateException(script + " returned " + elements.size() + " elements, none at " + index);
        }
        return elements.get(index);
    }

    private IllegalStateException wrong(int index, String wanted) {
        return new IllegalStateException(script + " did not return " + wanted + " at " + index);
    }
}
